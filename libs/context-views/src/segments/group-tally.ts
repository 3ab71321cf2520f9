import { type Tally, mergeTallies } from '../digests/index.js';
import { SmallCache } from './small-cache.js';
import { type Segment } from './segment.js';

/** How many segments are cached: each budget uses several rooms. */
const maxRooms = 16;
/** How many merged tallies are cached: with the next group, and with the entries of another class, in each timeline. */
const maxMerged = 4;

type MergedTally = Readonly<{ right: GroupTally; both: GroupTally }>;

/**
 * The tally of the entries in a roll-up, with its cached segments. `covers`: the size of the entries in estimated
 * tokens.
 */
export class GroupTally {
  readonly segments = new SmallCache<Segment>(maxRooms);
  #merged: readonly MergedTally[] = [];

  constructor(
    readonly tally: Tally,
    readonly covers: number,
  ) {}

  /** Merges the tally of other entries. The result for the same two is cached. */
  with(right: GroupTally): GroupTally {
    const known = this.#merged.find((merged) => merged.right === right);
    if (known) return known.both;
    const tally = mergeTallies([this.tally, right.tally]);
    const both = new GroupTally(tally, this.covers + right.covers);
    this.#merged = [...this.#merged, { right, both }].slice(-maxMerged);
    return both;
  }
}

/** The tally of all entries of two tallies; undefined if there are none. */
export function bothTallies(
  left: GroupTally | undefined,
  right: GroupTally | undefined,
): GroupTally | undefined {
  return left && right ? left.with(right) : (left ?? right);
}

/** The tally of all entries of some tallies, which are merged at once; undefined if there are none. */
export function allTallies(parts: readonly (GroupTally | undefined)[]): GroupTally | undefined {
  const tallies = parts.filter((part) => part !== undefined);
  const [only] = tallies;
  if (tallies.length <= 1) return only;
  const covers = tallies.reduce((sum, each) => sum + each.covers, 0);
  return new GroupTally(mergeTallies(tallies.map(({ tally }) => tally)), covers);
}
