/**
 * Pairs by their beginnings, which are below `places`. The pair of the lowest rank comes first, and of equals the
 * leftmost one. A binary heap with each pair once takes twelve bytes for each place, even if pairs change often. Memory
 * is touched on first use, because filling a large heap would take long.
 */
export class PairQueue {
  private readonly starts: Int32Array;
  private readonly ranks: Int32Array;
  /** By beginning: the index in the heap plus one, 0 if it is not in the heap. */
  private readonly places: Int32Array;
  private size = 0;

  constructor(places: number) {
    this.starts = new Int32Array(places);
    this.ranks = new Int32Array(places);
    this.places = new Int32Array(places);
  }

  /** Adds a pair, or changes its rank. */
  put(start: number, rank: number): void {
    const place = this.places[start] ?? 0;
    this.settle(start, rank, place === 0 ? this.size++ : place - 1);
  }

  remove(start: number): void {
    const place = (this.places[start] ?? 0) - 1;
    if (place < 0) return;
    this.places[start] = 0;
    this.size -= 1;
    if (place < this.size) this.settle(this.startAt(this.size), this.rankAt(this.size), place);
  }

  take(): number | undefined {
    if (this.size === 0) return undefined;
    const first = this.startAt(0);
    this.remove(first);
    return first;
  }

  /** Puts a pair into its position, starting at a free index. */
  private settle(start: number, rank: number, free: number): void {
    let place = free;
    for (let parent = (place - 1) >> 1; place > 0; parent = (place - 1) >> 1) {
      if (!this.follows(parent, start, rank)) break;
      this.move(parent, place);
      place = parent;
    }
    for (let child = this.firstChild(place); child < this.size; child = this.firstChild(place)) {
      if (this.follows(child, start, rank)) break;
      this.move(child, place);
      place = child;
    }
    this.set(place, start, rank);
  }

  /** The child with the lower pair; beyond the end if there is none. */
  private firstChild(place: number): number {
    const left = 2 * place + 1;
    const right = left + 1;
    if (right >= this.size) return left;
    return this.follows(left, this.startAt(right), this.rankAt(right)) ? right : left;
  }

  /** Whether the pair at an index comes after another one. */
  private follows(place: number, start: number, rank: number): boolean {
    const other = this.rankAt(place);
    return other > rank || (other === rank && this.startAt(place) > start);
  }

  private move(from: number, to: number): void {
    this.set(to, this.startAt(from), this.rankAt(from));
  }

  private set(place: number, start: number, rank: number): void {
    this.starts[place] = start;
    this.ranks[place] = rank;
    this.places[start] = place + 1;
  }

  private startAt(place: number): number {
    return this.starts[place] ?? 0;
  }

  private rankAt(place: number): number {
    return this.ranks[place] ?? 0;
  }
}
