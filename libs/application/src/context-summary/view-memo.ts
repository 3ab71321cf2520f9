import { type Memo, type Tokenizer } from '#context-views';
import { sha256 } from '#read-models';

/** Limit of the cache in UTF-16 code units, names and texts together. */
const mostCharacters = 16_000_000;
/** A shorter text is counted sooner than it is looked up. */
const leastCounted = 256;

/** The counts of longer texts are found by hash, so that a few of them do not displace all others. */
const longestName = 16_384;
const hashMark = '\0';

/** How many units a text takes; `text` may be its {@link textName}. */
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
      if (text.length >= leastCounted)
        this.#counted.push({ tokenizer, text: textName(text), units });
      return units;
    });
  }

  shortened<Made>(whole: string, form: string, make: () => Made): Made {
    return this.#find(`${form}\n${textName(whole)}`, make);
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
    this.#characters += name.length + lengthOf(made);
    for (const [oldest, forgotten] of this.#made) {
      if (this.#characters <= mostCharacters) break;
      this.#made.delete(oldest);
      this.#characters -= oldest.length + lengthOf(forgotten);
    }
    return made;
  }
}

/** The length of a shorter form, which may be much longer than its name; other cached values have no text. */
function lengthOf(made: unknown): number {
  const text: unknown = Object(made).text;
  return typeof text === 'string' ? text.length : 0;
}

function nameOf({ name }: Tokenizer, text: string): string {
  return `${name}\n${textName(text)}`;
}

/** What stands for a text: itself or, of a long one, its hash. No text of a view has a NUL, so none is the hash of another. */
export function textName(text: string): string {
  return text.length > longestName ? `${hashMark}${hashOf(text)}` : text;
}

/** SHA-256 in hexadecimal digits of a text, by its name. */
export function hashOfNamed(name: string): string {
  return name.startsWith(hashMark) ? name.slice(hashMark.length) : hashOf(name);
}

function hashOf(text: string): string {
  return sha256(text);
}
