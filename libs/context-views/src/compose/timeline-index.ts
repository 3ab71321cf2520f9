import { type Tally, mergeTallies, tallyOf } from '../digests/index.js';
import { type Entry, wholeText } from '../entries/entry.js';
import { type VersionGroup, groupSize } from './version-groups.js';

/** What gives way first, and what gives way with everything else. */
export type EntryClass = 'outputs' | 'others';

/** What is told in a roll-up: how many entries, of how many estimated tokens. */
export type GroupTally = Readonly<{ tally: Tally; covers: number }>;

type Places = Readonly<Record<EntryClass | 'kept', readonly number[]>>;

/**
 * The entries of a timeline, oldest first, with what views ask of many of them at once. Never changes; the index of the
 * next version is made from it at the cost of what changed.
 */
export class TimelineIndex {
  static of(entries: readonly Entry[]): TimelineIndex {
    const places = { outputs: [], others: [], kept: [] };
    return new TimelineIndex([], new Float64Array(), places, new Map()).#append(
      entries.toSorted(inOrder),
    );
  }

  private constructor(
    readonly entries: readonly Entry[],
    /** Estimated tokens of each entry whole: a quarter of its characters. */
    readonly sizes: Float64Array,
    /** Of entries of each class, and of those that are told of by themselves however old they are. */
    readonly places: Places,
    /** Of groups that nothing can come to any more: later indexes have them too. */
    private readonly nodes: Map<string, GroupTally>,
  ) {}

  filter(isAsked: (entry: Entry) => boolean): TimelineIndex {
    return TimelineIndex.of(this.entries.filter(isAsked));
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
    return TimelineIndex.of([...left, ...sorted]);
  }

  #append(added: readonly Entry[]): TimelineIndex {
    const first = this.entries.length;
    const sizes = new Float64Array(first + added.length);
    sizes.set(this.sizes);
    const places = {
      ...{ outputs: [...this.places.outputs], others: [...this.places.others] },
      kept: [...this.places.kept],
    };
    for (const [at, entry] of added.entries()) {
      sizes[first + at] = sizeOf(entry);
      places[isKept(entry) ? 'kept' : classOf(entry)].push(first + at);
    }
    return new TimelineIndex([...this.entries, ...added], sizes, places, this.nodes);
  }

  /** What the entries of some classes in an aligned group of versions tell together; undefined where there are none. */
  tally({ from, to }: VersionGroup, classes: readonly EntryClass[]): GroupTally | undefined {
    const count = (to - from + 1) / groupSize;
    return merged(classes.map((each) => this.#node(each, { first: leafOf(from), count })));
  }

  /** Of twice as many leaves what both halves tell. */
  #node(of: EntryClass, leaves: Leaves): GroupTally | undefined {
    const { first, count } = leaves;
    const name = `${of} ${first} ${count}`;
    const known = this.nodes.get(name);
    if (known) return known;
    const half = count / 2;
    const made =
      count <= 1
        ? this.#leaf(first, of)
        : merged([
            this.#node(of, { first, count: half }),
            this.#node(of, { first: first + half, count: half }),
          ]);
    const newest = this.entries.at(-1)?.version ?? 0;
    if (made && (first + count) * groupSize <= newest) this.nodes.set(name, made);
    return made;
  }

  #leaf(leaf: number, of: EntryClass): GroupTally | undefined {
    const first = leaf === 0 ? 0 : this.placeOf(leaf * groupSize + 1);
    const end = this.placeOf((leaf + 1) * groupSize + 1);
    const entries = this.entries
      .slice(first, end)
      .filter((entry) => !isKept(entry) && classOf(entry) === of);
    if (entries.length === 0) return undefined;
    const tally = tallyOf(
      entries.map(({ kind, key, version, author, value }) => ({
        ...{ kind, key, version, value, author: author ?? '', phase: null },
      })),
    );
    return { tally, covers: entries.reduce((sum, entry) => sum + sizeOf(entry), 0) };
  }
}

/** `count` leaves, a power of two, the first of them a multiple of it. */
type Leaves = Readonly<{ first: number; count: number }>;

export function classOf({ section }: Entry): EntryClass {
  return section === 'outputs' || section === 'failures' ? 'outputs' : 'others';
}

/** Oldest first; of one version in the order of their refs, which the items alone decide. */
export function inOrder(left: Entry, right: Entry): number {
  return left.version - right.version || (left.ref < right.ref ? -1 : 1);
}

function isKept({ pinned }: Entry): boolean {
  return pinned;
}

function merged(parts: readonly (GroupTally | undefined)[]): GroupTally | undefined {
  const told = parts.flatMap((part) => part ?? []);
  const [only] = told;
  if (told.length <= 1) return only;
  return {
    tally: mergeTallies(told.map(({ tally }) => tally)),
    covers: told.reduce((sum, { covers }) => sum + covers, 0),
  };
}

const sizes = new WeakMap<Entry, number>();

function sizeOf(entry: Entry): number {
  const known = sizes.get(entry);
  if (known !== undefined) return known;
  const made = Math.ceil(wholeText(entry).length / 4);
  sizes.set(entry, made);
  return made;
}

function leafOf(version: number): number {
  return Math.floor((Math.max(version, 1) - 1) / groupSize);
}
