import { type Memo, type Tokenizer } from '#context-views';

/** UTF-16 code units of texts that are kept, about. */
const mostCharacters = 16_000_000;

/** What was counted and shortened lately, by the text itself: nothing in it is ever out of date. */
export class ViewMemo implements Memo {
  readonly #made = new Map<string, unknown>();
  #characters = 0;

  units(tokenizer: Tokenizer, text: string): number {
    return this.#find(`${tokenizer.name}\n${text}`, () => tokenizer.unitsOf(text));
  }

  shortened<Made>(whole: string, form: string, make: () => Made): Made {
    return this.#find(`${form}\n${whole}`, make);
  }

  /** A name always stands for what the same function makes of the same text, so for the same type. */
  #find<Made>(name: string, make: () => Made): Made {
    if (this.#made.has(name)) {
      const known = this.#made.get(name) as Made;
      // The newest last: what is at the front is forgotten first.
      this.#made.delete(name);
      this.#made.set(name, known);
      return known;
    }
    const made = make();
    this.#made.set(name, made);
    this.#characters += name.length;
    for (const oldest of this.#made.keys()) {
      if (this.#characters <= mostCharacters) break;
      this.#made.delete(oldest);
      this.#characters -= oldest.length;
    }
    return made;
  }
}
