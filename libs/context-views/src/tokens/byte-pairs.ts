import { type BytePairRanks } from './byte-pair-ranks.js';
import { PairQueue } from './pair-queue.js';

/** About ten milliseconds of work. */
const stepsAtOnce = 4_096;

/**
 * The number of tokens of the bytes (each character of `bytes` is one): the pair of the lowest rank, and of equals the
 * leftmost one, is merged first, until no pair has a rank. With a heap of pairs, a word of a megabyte takes n log n
 * time and twenty bytes for each byte; searching all pairs for each merge would take hours.
 */
export function countBytePairs(bytes: string, known: BytePairRanks): number {
  if (bytes.length < 2) return bytes.length;
  if (bytes.length <= known.longest && known.ranks.has(bytes)) return 1;
  const merging = new Merging(bytes, known);
  merging.rank(bytes.length);
  merging.merge(Infinity);
  return merging.parts;
}

/** As {@link countBytePairs}, in steps: a word of a megabyte takes seconds. */
export function* countBytePairsInSteps(
  bytes: string,
  known: BytePairRanks,
): Generator<void, number> {
  const merging = new Merging(bytes, known);
  while (merging.rank(stepsAtOnce)) yield;
  while (merging.merge(stepsAtOnce)) yield;
  return merging.parts;
}

/** Parts are identified by where they begin; `end` is after the last one. */
class Merging {
  /** The current number of parts. */
  parts: number;
  private ranksKnown = 0;
  private readonly end: number;
  /** The part after a part whose end has moved; 0 if it is the next byte. */
  private readonly next: Int32Array;
  /** The beginning of the previous part plus one, if it has moved; 0 if it is the byte before. */
  private readonly previous: Int32Array;
  private readonly pairs: PairQueue;

  constructor(
    private readonly bytes: string,
    private readonly known: BytePairRanks,
  ) {
    this.end = bytes.length;
    this.parts = bytes.length;
    this.next = new Int32Array(this.end + 1);
    this.previous = new Int32Array(this.end + 1);
    this.pairs = new PairQueue(this.end);
  }

  /** Ranks the next `count` of the initial pairs; returns false after all are ranked. */
  rank(count: number): boolean {
    const end = Math.min(this.ranksKnown + count, this.end - 1);
    while (this.ranksKnown < end) this.ranked(this.ranksKnown++);
    return this.ranksKnown < this.end - 1;
  }

  /** Merges up to `count` pairs; returns false if there are none left. */
  merge(count: number): boolean {
    for (let left = count; left > 0; left--) {
      const start = this.pairs.take();
      if (start === undefined) return false;
      this.join(start);
      this.parts -= 1;
    }
    return true;
  }

  private join(start: number): void {
    const merged = this.after(start);
    const following = this.after(merged);
    this.next[start] = following;
    this.previous[following] = start + 1;
    this.pairs.remove(merged);
    this.ranked(start);
    if (start > 0) this.ranked(this.before(start));
  }

  private after(start: number): number {
    return this.next[start] || start + 1;
  }

  private before(start: number): number {
    return (this.previous[start] || start) - 1;
  }

  private ranked(start: number): void {
    const second = this.after(start);
    const behind = second >= this.end ? this.end : this.after(second);
    const rank =
      second >= this.end || behind - start > this.known.longest
        ? undefined
        : this.known.ranks.get(this.bytes.slice(start, behind));
    if (rank === undefined) this.pairs.remove(start);
    else this.pairs.put(start, rank);
  }
}
