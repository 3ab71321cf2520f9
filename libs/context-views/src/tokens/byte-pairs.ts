import { type BytePairRanks } from './byte-pair-ranks.js';
import { Lowest } from './lowest.js';

const none = -1;
const places = 2 ** 32;

/**
 * How many tokens the bytes come to (each character of `bytes` is one): the pair of the lowest rank, the leftmost of
 * equals, merges first, until no pair has a rank. A heap of pairs keeps a word of a megabyte at n log n, where looking
 * through all pairs for each merge would take hours.
 */
export function countBytePairs(bytes: string, known: BytePairRanks): number {
  if (bytes.length < 2) return bytes.length;
  if (bytes.length <= known.longest && known.ranks.has(bytes)) return 1;
  return new Merging(bytes, known).run();
}

/** Parts are named by where they begin; `end` stands behind the last. */
class Merging {
  private readonly end: number;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  /** Of the pair that begins here, as it is now: what the heap says of an earlier one is out of date. */
  private readonly rank: Int32Array;
  private readonly pairs = new Lowest();

  constructor(
    private readonly bytes: string,
    private readonly known: BytePairRanks,
  ) {
    this.end = bytes.length;
    this.next = Int32Array.from({ length: this.end + 1 }, (_, n) => n + 1);
    this.previous = Int32Array.from({ length: this.end + 1 }, (_, n) => n - 1);
    this.rank = new Int32Array(this.end + 1).fill(none);
    for (let start = 0; start < this.end - 1; start++) this.ranked(start);
  }

  run(): number {
    let parts = this.end;
    for (let pair = this.pairs.take(); pair !== undefined; pair = this.pairs.take()) {
      const start = pair % places;
      if (this.rank[start] !== (pair - start) / places) continue;
      this.merge(start);
      parts -= 1;
    }
    return parts;
  }

  private merge(start: number): void {
    const gone = this.after(start);
    const following = this.after(gone);
    this.next[start] = following;
    this.previous[following] = start;
    this.rank[gone] = none;
    this.ranked(start);
    const before = this.previous[start] ?? none;
    if (before !== none) this.ranked(before);
  }

  private after(start: number): number {
    return this.next[start] ?? this.end;
  }

  private ranked(start: number): void {
    const second = this.after(start);
    const behind = second >= this.end ? this.end : this.after(second);
    const rank =
      second >= this.end || behind - start > this.known.longest
        ? none
        : (this.known.ranks.get(this.bytes.slice(start, behind)) ?? none);
    this.rank[start] = rank;
    if (rank !== none) this.pairs.add(rank * places + start);
  }
}
