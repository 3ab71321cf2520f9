import { eachWord } from './words.js';

/** Below PostgreSQL's limits: a `tsvector` of 1 MiB, positions up to 16,383, 255 positions per word. */
const maxBytes = 256 * 1024;
const lastPosition = 16_000;
const maxPositions = 255;

/** Maximum words of a phrase; this many words are repeated where a text is divided. */
export const longestPhrase = 32;
/** The words of one step, a few milliseconds of work. */
const wordsInStep = 2_048;

/**
 * The words of one item as `tsvector` literals, in steps: one literal, or several if the item is large. Every phrase of
 * up to {@link longestPhrase} words within one text is complete in one literal, and none spans two texts.
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
      // A text of a single word is in no phrase. Storing it once is enough, and keeps vectors for lists of numbers
      // small.
      if (alone.has(first.value)) continue;
      alone.add(first.value);
    }
    const firstWords = second.done ? [first.value] : [first.value, second.value];
    yield* addText(parts, firstWords, words);
  }
  return parts.filter((part) => !part.isEmpty).map(String);
}

/** Adds the words of a text; `firstWords` were already read from it. */
function* addText(
  parts: Part[],
  firstWords: readonly string[],
  others: Iterable<string>,
): Generator<void> {
  let part = parts.at(-1) ?? new Part();
  part.skip();
  /** The newest words, which a new part repeats if it begins within the text. */
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
  firstWords.forEach(add);
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

  /** Returns false and adds nothing if there is no room for the word. */
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

  /** Leaves a gap, so that the next word does not follow the last one. */
  skip(): void {
    this.#position++;
  }

  /** Words contain only letters and digits, so that no quoting is needed. */
  toString(): string {
    return Array.from(this.#words, ([word, positions]) => `'${word}':${positions.join()}`).join(
      ' ',
    );
  }
}
