import { wordsOf } from './words.js';

/** Bounds of PostgreSQL: a `tsvector` of 1 MiB, positions up to 16,383, 255 of them a word. */
const mostBytes = 256 * 1024;
const lastPosition = 16_000;
const mostPositions = 255;

/** Words asked for as one phrase at most: so many stand in two parts, where a text is divided. */
export const longestPhrase = 32;

/**
 * The words of one item as `tsvector` literals: one, or several where it is large. Every phrase of
 * {@link longestPhrase} words within one text is whole in one of them, and none goes over two texts.
 */
export function wordVectors(texts: Iterable<string>): string[] {
  const parts = [new Part()];
  const alone = new Set<string>();
  for (const text of texts) {
    const words = wordsOf(text);
    const [first, second] = words;
    if (first === undefined) continue;
    if (second === undefined) {
      // No phrase stands around it: once is enough, and lists of numbers stay small.
      if (alone.has(first)) continue;
      alone.add(first);
    }
    addText(parts, words);
  }
  return parts.filter((part) => !part.isEmpty).map(String);
}

function addText(parts: Part[], words: readonly string[]): void {
  let part = parts.at(-1) ?? new Part();
  part.skip();
  for (const [at, word] of words.entries()) {
    if (!part.takes(word)) {
      part = new Part();
      parts.push(part);
      for (const before of words.slice(Math.max(at - longestPhrase + 1, 0), at)) part.add(before);
    }
    part.add(word);
  }
}

class Part {
  readonly #words = new Map<string, number[]>();
  #position = 0;
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#words.size === 0;
  }

  takes(word: string): boolean {
    return (
      this.#bytes < mostBytes &&
      this.#position < lastPosition &&
      (this.#words.get(word)?.length ?? 0) < mostPositions
    );
  }

  add(word: string): void {
    const positions = this.#words.get(word);
    if (positions) positions.push(++this.#position);
    else {
      this.#words.set(word, [++this.#position]);
      this.#bytes += Buffer.byteLength(word);
    }
    this.#bytes += 2;
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
