import { type Tally, mergeTallies, tallyOf } from '../digests/index.js';
import { type Entry, wholeText } from '../entries/entry.js';
import { type VersionGroup, groupSize } from './version-groups.js';

/** What gives way first, and what gives way with everything else. */
export type EntryClass = 'outputs' | 'others';

/** What is told in a roll-up: how many entries, of how many estimated tokens. */
export type GroupTally = Readonly<{ tally: Tally; covers: number }>;

/**
 * The entries of a timeline, oldest first, with what views ask of many of them at once. Never changes; the index of the
 * next version is made from it at the cost of what changed.
 */
export class TimelineIndex {
  static of(entries: readonly Entry[]): TimelineIndex {
    return new TimelineIndex(entries, new Map());
  }

  /** Estimated tokens of each entry whole: a quarter of its characters. */
  readonly sizes: Float64Array;
  /** Places of entries that are told of by themselves however old they are. */
  readonly kept: readonly number[];
  readonly outputs: readonly number[];
  readonly others: readonly number[];

  private constructor(
    readonly entries: readonly Entry[],
    private readonly nodes: Map<string, GroupTally>,
  ) {
    this.sizes = Float64Array.from(entries, sizeOf);
    const places = (is: (entry: Entry) => boolean) =>
      entries.flatMap((entry, at) => (is(entry) ? [at] : []));
    this.kept = places(isKept);
    this.outputs = places((entry) => !isKept(entry) && classOf(entry) === 'outputs');
    this.others = places((entry) => !isKept(entry) && classOf(entry) === 'others');
  }

  filter(isAsked: (entry: Entry) => boolean): TimelineIndex {
    return TimelineIndex.of(this.entries.filter(isAsked));
  }

  /** The oldest ones alone: what they tell together is the same of whole groups. */
  first(count: number): TimelineIndex {
    return new TimelineIndex(this.entries.slice(0, count), this.nodes);
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

  /** With other entries in place of those of the same refs; `gone` are left out. */
  with(changed: readonly Entry[], gone: ReadonlySet<string>): TimelineIndex {
    const refs = new Set([...gone, ...changed.map(({ ref }) => ref)]);
    const left = this.entries.filter(({ ref }) => !refs.has(ref));
    const touched = [...this.entries.filter(({ ref }) => refs.has(ref)), ...changed];
    const nodes = withoutNodesOf(
      this.nodes,
      touched.map(({ version }) => leafOf(version)),
    );
    const entries = [...left];
    for (const entry of changed) entries.splice(placeIn(entries, entry), 0, entry);
    return new TimelineIndex(entries, nodes);
  }

  /** What the entries of some classes in an aligned group of versions tell together; undefined where there are none. */
  tally({ from, to }: VersionGroup, classes: readonly EntryClass[]): GroupTally | undefined {
    const count = (to - from + 1) / groupSize;
    return merged(classes.map((each) => this.#node(each, { first: leafOf(from), count })));
  }

  /** Of twice as many leaves what both halves tell: kept, so that most of it is made once for all versions to come. */
  #node(of: EntryClass, { first, count }: Leaves): GroupTally | undefined {
    if (count <= 1) return this.#leaf(first, of);
    const name = nodeName(of, { first, count });
    const known = this.nodes.get(name);
    if (known) return known;
    const half = count / 2;
    const made = merged([
      this.#node(of, { first, count: half }),
      this.#node(of, { first: first + half, count: half }),
    ]);
    if (made) this.nodes.set(name, made);
    return made;
  }

  #leaf(leaf: number, of: EntryClass): GroupTally | undefined {
    const name = nodeName(of, { first: leaf, count: 1 });
    const known = this.nodes.get(name);
    if (known) return known;
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
    const made = { tally, covers: entries.reduce((sum, entry) => sum + sizeOf(entry), 0) };
    this.nodes.set(name, made);
    return made;
  }
}

export function classOf({ section }: Entry): EntryClass {
  return section === 'outputs' || section === 'failures' ? 'outputs' : 'others';
}

function isKept({ pinned, isPast }: Entry): boolean {
  return pinned || isPast;
}

/** `count` leaves, a power of two, the first of them a multiple of it. */
type Leaves = Readonly<{ first: number; count: number }>;

function nodeName(of: EntryClass, { first, count }: Leaves): string {
  return `${of} ${first} ${count}`;
}

function withoutNodesOf(
  nodes: ReadonlyMap<string, GroupTally>,
  leaves: readonly number[],
): Map<string, GroupTally> {
  const left = new Map(nodes);
  const largest = 2 ** 27;
  for (const leaf of new Set(leaves))
    for (let count = 1; count <= largest; count *= 2)
      for (const each of ['outputs', 'others'] as const)
        left.delete(nodeName(each, { first: Math.floor(leaf / count) * count, count }));
  return left;
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

/** Behind every entry of an earlier version, and those of the same version whose refs come first. */
function placeIn(entries: readonly Entry[], { version, ref }: Entry): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = entries[middle];
    const isBefore =
      other && (other.version < version || (other.version === version && other.ref < ref));
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
