const kinds = ['paths', 'urls', 'identifiers', 'numbers', 'errors'];
/** The number of newest outputs that an agent has in any case. */
export const lastSeen = 3;

/** Extracts and finds the facts of each text once; `forget` clears the cache. */
export class Facts {
  #found = new Map();
  #shown = new Map();

  constructor({ factsIn, tells }) {
    this.factsIn = factsIn;
    this.tells = tells;
  }

  /** The distinct facts of some texts. */
  of(texts) {
    return new Set(texts.flatMap((text) => [...this.#inText(text)]));
  }

  /** The number of these facts in a text. */
  toldIn(text, facts) {
    let told = 0;
    for (const fact of facts) if (this.isShown(text, fact)) told += 1;
    return told;
  }

  /** Whether a text contains a fact, by its patterns or as a separate word. */
  isShown(text, fact) {
    if (this.#inText(text).has(fact)) return true;
    const known = this.#shown.get(text) ?? new Map();
    this.#shown.set(text, known);
    if (!known.has(fact)) known.set(fact, this.tells(text, fact));
    return known.get(fact);
  }

  forget() {
    this.#found.clear();
    this.#shown.clear();
  }

  #inText(text) {
    const known = this.#found.get(text) ?? this.#extract(text);
    this.#found.set(text, known);
    return known;
  }

  #extract(text) {
    const found = this.factsIn(text);
    return new Set(kinds.flatMap((kind) => [...found[kind]]));
  }
}

/**
 * The number of facts of the outputs in each answer: `behind`, of those before the newest three; `older`, of those
 * before the newest that any answer has in full, so that no strategy gets credit for texts that it did not shorten;
 * `all`, of all; `own`, of the outputs that the answer itself shortened or dropped.
 */
export function recallOf(answers, material, facts) {
  const outputs = material.filter(({ isShortenable }) => isShortenable);
  const factsBehind = (count) => facts.of(textsOf(outputs.slice(0, outputs.length - count)));
  const newest = Math.max(
    ...Object.values(answers).map(({ whole }) => newestWhole(outputs, whole)),
  );
  const shared = {
    behind: factsBehind(Math.min(lastSeen, outputs.length)),
    older: factsBehind(newest),
    all: factsBehind(0),
  };
  return Object.fromEntries(
    Object.entries(answers).map(([name, { text, whole }]) => {
      const own = facts.of(textsOf(outputs.filter(({ ref }) => !whole.has(ref))));
      const shares = Object.entries({ ...shared, own }).map(([kind, those]) => [
        kind,
        { told: facts.toldIn(text, those), of: those.size },
      ]);
      return [name, Object.fromEntries(shares)];
    }),
  );
}

function textsOf(outputs) {
  return outputs.map(({ text }) => text);
}

function newestWhole(outputs, whole) {
  const at = outputs.findLastIndex(({ ref }) => !whole.has(ref));
  return outputs.length - 1 - at;
}
