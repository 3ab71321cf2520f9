import { eachWord } from './words.js';

/** Bounds of PostgreSQL: a `tsvector` of 1 MiB, positions up to 16,383, 255 of them a word. */
const maxBytes = 256 * 1024;
const lastPosition = 16_000;
const maxPositions = 255;

/** Words asked for as one phrase at most: so many stand in two parts, where a text is divided. */
export const longestPhrase = 32;
/** Some milliseconds of work. */
const wordsInStep = 2_048;

/**
 * The words of one item as `tsvector` literals, in steps: one, or several if it is large. Every phrase of
 * {@link longestPhrase} words within one text is whole in one of them, and none goes over two texts.
 */
export function* wordVectors(texts: Iterable<string>): Generator<void, string[]> {
  const parts = [new Part()];
  const alone = new Set<string>();
  for (const text of texts) {
    yield;
    const words = eachWord(text);
    const [first, second] = [words.next(), words.next()];
    if (first.done) continue;
    if (second.done) {
      // No phrase stands around it: once is enough, and lists of numbers stay small.
      if (alone.has(first.value)) continue;
      alone.add(first.value);
    }
    const begun = second.done ? [first.value] : [first.value, second.value];
    yield* addText(parts, begun, words);
  }
  return parts.filter((part) => !part.isEmpty).map(String);
}

/** Adds the words of a text, of which the first ones are known already. */
function* addText(
  parts: Part[],
  begun: readonly string[],
  others: Iterable<string>,
): Generator<void> {
  let part = parts.at(-1) ?? new Part();
  part.skip();
  /** The newest words, which a part that begins within the text repeats. */
  let recent: string[] = [];
  let count = 0;
  const add = (word: string) => {
    if (!part.add(word)) {
      part = new Part();
      parts.push(part);
      for (const before of [...recent.slice(1 - longestPhrase), word]) part.add(before);
    }
    if (recent.length >= 2 * longestPhrase) recent = recent.slice(-longestPhrase);
    recent.push(word);
  };
  begun.forEach(add);
  for (const word of others) {
    add(word);
    if (++count % wordsInStep === 0) yield;
  }
}

class Part {
  readonly #words = new Map<string, number[]>();
  #position = 0;
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#words.size === 0;
  }

  /** False, and nothing is added, if there is no room for the word. */
  add(word: string): boolean {
    const positions = this.#words.get(word);
    const isFull = this.#bytes >= maxBytes || this.#position >= lastPosition;
    if (isFull || (positions && positions.length >= maxPositions)) return false;
    if (positions) positions.push(++this.#position);
    else {
      this.#words.set(word, [++this.#position]);
      this.#bytes += Buffer.byteLength(word);
    }
    this.#bytes += 2;
    return true;
  }

  /** What comes next does not follow what there is. */
  skip(): void {
    this.#position++;
  }

  /** Words hold letters and digits only: nothing in them needs to be quoted. */
  toString(): string {
    return Array.from(this.#words, ([word, positions]) => `'${word}':${positions.join()}`).join(
      ' ',
    );
  }
}
