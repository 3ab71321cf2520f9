/** Caches counts and other results that depend on the text only. */
export class Counts {
  #made = new Map();

  constructor(tokenizer) {
    this.tokenizer = tokenizer;
  }

  units = (text) => this.#once(text, '', () => this.tokenizer.unitsOf(text));

  /** Texts that do not occur again. */
  unitsOnce = (text) => this.tokenizer.unitsOf(text);

  forget() {
    this.#made.clear();
  }

  #once(text, form, make) {
    const ofText = this.#made.get(text) ?? new Map();
    this.#made.set(text, ofText);
    if (!ofText.has(form)) ofText.set(form, make());
    return ofText.get(form);
  }
}

/** A context as a list of full texts, the input of all strategies. */
export function materialOf(source, { wholeText }) {
  const entries = source.timeline.entries.map((entry) => {
    const text = wholeText(entry);
    const isDecision = entry.kind === 'decision';
    return {
      ...{ ref: entry.ref, text, value: entry.value, isDecision },
      heading: text.slice(0, text.indexOf('\n')),
      isOutput: !isDecision && !entry.pinned,
      isShortenable: !entry.pinned,
    };
  });
  const standing = source.currentState.map(({ ref, whole }) => ({
    ref,
    text: whole,
    isStanding: true,
  }));
  return [{ ref: null, text: source.header, isStanding: true }, ...entries, ...standing];
}
