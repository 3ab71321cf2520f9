import { type Memo, type Tokenizer } from '#context-views';

/** UTF-16 code units of texts that are kept, about. */
const mostCharacters = 16_000_000;
/** A shorter text is counted sooner than it is looked up. */
const leastCounted = 256;

/** How many units an entry takes whole. */
export type Counted = Readonly<{ tokenizer: Tokenizer; text: string; units: number }>;

/** What was counted and shortened lately, by the text itself: nothing in it is ever out of date. */
export class ViewMemo implements Memo {
  readonly #made = new Map<string, unknown>();
  #characters = 0;
  #counted: Counted[] = [];

  units(tokenizer: Tokenizer, text: string): number {
    return this.#find(nameOf(tokenizer, text), () => tokenizer.unitsOf(text));
  }

  whole(tokenizer: Tokenizer, text: string): number {
    return this.#find(nameOf(tokenizer, text), () => {
      const units = tokenizer.unitsOf(text);
      if (text.length >= leastCounted) this.#counted.push({ tokenizer, text, units });
      return units;
    });
  }

  shortened<Made>(whole: string, form: string, make: () => Made): Made {
    return this.#find(`${form}\n${whole}`, make);
  }

  /** Whether it is worth asking somebody who has counted it before. */
  lacks(tokenizer: Tokenizer, text: string): boolean {
    return text.length >= leastCounted && !this.#made.has(nameOf(tokenizer, text));
  }

  /** Takes what somebody else has counted. */
  learn({ tokenizer, text, units }: Counted): void {
    this.#find(nameOf(tokenizer, text), () => units);
  }

  /** Entries that were counted since the last time. */
  takeCounted(): readonly Counted[] {
    const counted = this.#counted;
    this.#counted = [];
    return counted;
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

function nameOf({ name }: Tokenizer, text: string): string {
  return `${name}\n${text}`;
}
