const kinds = ['paths', 'urls', 'identifiers', 'numbers', 'errors'];

/** Looks up once what each text says. */
export class Facts {
  #known = new Map();

  constructor({ factsIn, tells }) {
    this.factsIn = factsIn;
    this.tells = tells;
  }

  of(texts) {
    return new Set(texts.flatMap((text) => this.#ofOne(text)));
  }

  /** The share of these facts that a text still tells. */
  toldIn(text, facts) {
    const found = new Set(this.#inText(text));
    let told = 0;
    for (const fact of facts) if (found.has(fact) || this.tells(text, fact)) told += 1;
    return told;
  }

  #ofOne(text) {
    const known = this.#known.get(text) ?? this.#inText(text);
    this.#known.set(text, known);
    return known;
  }

  #inText(text) {
    const found = this.factsIn(text);
    return kinds.flatMap((kind) => [...found[kind]]);
  }

  forget() {
    this.#known.clear();
  }
}

/**
 * How much each answer tells of what was shortened. Shortened is what lies behind the newest that any of them kept
 * whole, so that all are asked for the same facts. `own`: of what it shortened or dropped itself.
 */
export function recallOf(answers, material, facts) {
  const outputs = material.filter(({ isShortenable }) => isShortenable);
  const newest = Math.max(
    ...Object.values(answers).map(({ whole }) => newestWhole(outputs, whole)),
  );
  const older = facts.of(outputs.slice(0, outputs.length - newest).map(({ text }) => text));
  const ownRecall = (text, whole) => {
    const own = facts.of(outputs.flatMap((each) => (whole.has(each.ref) ? [] : [each.text])));
    return { told: facts.toldIn(text, own), of: own.size };
  };
  const all = facts.of(outputs.map(({ text }) => text));
  return Object.fromEntries(
    Object.entries(answers).map(([name, { text, whole }]) => [
      name,
      {
        own: ownRecall(text, whole),
        older: { told: facts.toldIn(text, older), of: older.size },
        all: { told: facts.toldIn(text, all), of: all.size },
      },
    ]),
  );
}

function newestWhole(outputs, whole) {
  const at = outputs.findLastIndex(({ ref }) => !whole.has(ref));
  return outputs.length - 1 - at;
}
