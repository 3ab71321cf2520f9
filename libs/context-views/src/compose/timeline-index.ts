import { type Entry } from '../entries/entry.js';
import { prepareReading } from './entry-readings.js';
import { sizeOf } from './entry-sizes.js';
import { type GroupTally } from './entry-tally.js';
import { GroupTallies } from './group-tallies.js';
import { type Block, type EntryClass, blocksOf } from './version-blocks.js';
import { type VersionGroup, groupSize } from './version-groups.js';

type Places = Readonly<Record<EntryClass | 'kept', readonly number[]>>;

/**
 * The entries of a timeline, oldest first, with what views ask of many of them at once. Never changes; the index of the
 * next version is made from it at the cost of what changed.
 */
export class TimelineIndex {
  /** `like`: an index of mostly the same entries, whose tallies are taken over where nothing differs. */
  static of(entries: readonly Entry[], like?: TimelineIndex): TimelineIndex {
    const sorted = entries.toSorted(inOrder);
    const groups = like?.groups.without(changedLeaves(like.entries, sorted)) ?? GroupTallies.none();
    return new TimelineIndex([], new Float64Array(), noPlaces, groups).#append(sorted);
  }

  private constructor(
    readonly entries: readonly Entry[],
    /** Estimated tokens of each entry whole: a quarter of its characters. */
    readonly sizes: Float64Array,
    /** Indexes of the entries of each class, and of those that are shown by themselves however old they are. */
    readonly places: Places,
    /** Later indexes have them too. */
    readonly groups: GroupTallies,
  ) {}

  filter(isAsked: (entry: Entry) => boolean): TimelineIndex {
    return TimelineIndex.of(this.entries.filter(isAsked), this);
  }

  /** Without some pinned entries: as these are in no roll-up, all tallies are taken over. */
  withoutPinned(gone: ReadonlySet<Entry>): TimelineIndex {
    if (gone.size === 0) return this;
    const left = this.entries.filter((entry) => !entry.pinned || !gone.has(entry));
    return new TimelineIndex([], new Float64Array(), noPlaces, this.groups).#append(left);
  }

  /** Where the first entry of `version` or a later one is. */
  placeOf(version: number): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.entries[middle]?.version ?? Infinity) >= version) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Without the entries of some refs, and with others. */
  with(added: readonly Entry[], gone: ReadonlySet<string>): TimelineIndex {
    const last = this.entries.at(-1);
    const sorted = added.toSorted(inOrder);
    const isBehind = !last || !sorted[0] || inOrder(last, sorted[0]) < 0;
    if (gone.size === 0 && isBehind) return this.#append(sorted);
    const left = this.entries.filter(({ ref }) => !gone.has(ref));
    return TimelineIndex.of([...left, ...sorted], this);
  }

  /**
   * What the entries of some classes in an aligned group of versions tell together, or in the beginning of one; undefined
   * where there are none.
   */
  tally({ from, to }: VersionGroup, classes: readonly EntryClass[]): GroupTally | undefined {
    const leaves = { first: leafOf(from), count: Math.ceil((to - from + 1) / groupSize) };
    return this.groups.tally(classes, leaves, {
      entriesIn: this.#entriesIn,
      newest: this.#newest,
    });
  }

  /**
   * Reads and tallies entries in steps, for views that show at most the last `within` entries by themselves and roll the others
   * up.
   */
  *prepare(within: number): Generator<void, void> {
    const near = this.entries.slice(this.entries.length - within);
    for (const entry of near) {
      yield* prepareReading(entry);
      yield;
    }
    const far = this.entries[this.entries.length - within - 1];
    if (!far) return;
    const leaves = Math.floor(far.version / groupSize);
    yield* this.groups.prepare(leaves, { entriesIn: this.#entriesIn, newest: this.#newest });
  }

  /** Those whose tallies are worth keeping from one process to the next. */
  blocks(): readonly Block[] {
    return blocksOf(this.#newest, this.#entriesIn);
  }

  get #newest(): number {
    return this.entries.at(-1)?.version ?? 0;
  }

  readonly #entriesIn = (of: EntryClass, leaf: number): readonly Entry[] => {
    const first = leaf === 0 ? 0 : this.placeOf(leaf * groupSize + 1);
    const end = this.placeOf((leaf + 1) * groupSize + 1);
    return this.entries.slice(first, end).filter((entry) => !entry.pinned && classOf(entry) === of);
  };

  #append(added: readonly Entry[]): TimelineIndex {
    const first = this.entries.length;
    const sizes = new Float64Array(first + added.length);
    sizes.set(this.sizes);
    const { outputs, others, kept } = this.places;
    const places = { outputs: [...outputs], others: [...others], kept: [...kept] };
    for (const [at, entry] of added.entries()) {
      sizes[first + at] = sizeOf(entry);
      places[entry.pinned ? 'kept' : classOf(entry)].push(first + at);
    }
    return new TimelineIndex([...this.entries, ...added], sizes, places, this.groups);
  }
}

export function classOf({ section }: Entry): EntryClass {
  return section === 'outputs' || section === 'failures' ? 'outputs' : 'others';
}

/** Oldest first; of one version in the order of their refs, which the items alone decide. */
export function inOrder(left: Entry, right: Entry): number {
  return left.version - right.version || (left.ref < right.ref ? -1 : 1);
}

/** Where one of two timelines has an entry that the other has not. */
function changedLeaves(
  left: readonly Entry[],
  right: readonly Entry[],
): Readonly<Record<EntryClass, ReadonlySet<number>>> {
  const changed = { outputs: new Set<number>(), others: new Set<number>() };
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  const note = (entry: Entry) => changed[classOf(entry)].add(leafOf(entry.version));
  left.filter((entry) => !inRight.has(entry)).forEach(note);
  right.filter((entry) => !inLeft.has(entry)).forEach(note);
  return changed;
}

const noPlaces: Places = { outputs: [], others: [], kept: [] };

function leafOf(version: number): number {
  return Math.floor((Math.max(version, 1) - 1) / groupSize);
}
