import { LRUCache } from 'lru-cache';

import { type Entry } from '../entries/entry.js';
import { type Section } from '../entries/section.js';
import { type GroupTally } from '../segments/group-tally.js';
import { type ComposedView } from '../segments/segment.js';
import { type EntryClass, GroupTallies, talliedEntries } from './group-tallies.js';
import { countedSize } from './distances.js';
import { type SettledLayout, farthestIncluded } from './compression-level.js';
import { type VersionGroup, groupSize, leafOf } from './version-groups.js';

type Places = Readonly<Record<EntryClass | 'pinned', readonly number[]>>;

/**
 * In estimated tokens. Readings of older entries are dropped, because a reading takes a few times the memory of its
 * value.
 */
const maxReadTokens = 2_097_152;
/** How many layouts of settled entries are cached: for a few budgets, each with several rooms. */
const maxSettledLayouts = 16;

/** Sections of entries that may state the task. */
const planSections: ReadonlySet<Section> = new Set(['records', 'requirements', 'plan']);
/** In estimated tokens, with the heading: a title or a status alone does not state the task. */
const minOpening = 48;

type SettledEntries = Readonly<{ entries: readonly Entry[]; layout: SettledLayout }>;

/**
 * The entries of a timeline, oldest first, with the data that views need of many entries at once. Immutable. The index
 * of the next version is derived from it at a cost proportional to the changes.
 */
export class TimelineIndex {
  static of(entries: readonly Entry[]): TimelineIndex {
    return new TimelineIndex([], new Float64Array(), noPlaces).#append(entries.toSorted(inOrder));
  }

  /** Recently composed views of sources with this timeline, by source and budget. */
  readonly composed = new WeakMap<object, LRUCache<string, ComposedView>>();
  readonly groups: GroupTallies;
  readonly #settled: LRUCache<string, SettledEntries>;
  #size: number | undefined;

  private constructor(
    readonly entries: readonly Entry[],
    /** Estimated tokens of each whole entry: a quarter of its characters. */
    readonly sizes: Float64Array,
    /**
     * Indexes of the entries of each class, and of pinned entries, which are shown individually however old they are.
     */
    readonly places: Places,
    earlier?: TimelineIndex,
  ) {
    this.#settled = earlier ? earlier.#settled : new LRUCache({ max: maxSettledLayouts });
    const newest = entries.at(-1)?.version ?? 0;
    this.groups = new GroupTallies(
      (of, { first, count }) => {
        const from = first === 0 ? 0 : this.placeOf(first * groupSize + 1);
        return this.#entriesIn(of, from, this.placeOf((first + count) * groupSize + 1));
      },
      newest,
      earlier?.groups,
    );
  }

  /**
   * The index of the entry that states the task: the input of the context, or the first message of a person, or the
   * first output or long record, plan or requirement. All but the input only if they are among the first versions: a
   * timeline may begin later.
   */
  get opening(): number | undefined {
    const input = this.places.pinned.find((at) => this.entries[at]?.kind === 'creation');
    if (input !== undefined) return input;
    const first = this.entries.slice(0, this.placeOf(groupSize + 1));
    const said = first.findIndex(({ isByPerson }) => isByPerson);
    const at = said >= 0 ? said : first.findIndex((entry, place) => this.#mayOpen(entry, place));
    return at < 0 ? undefined : at;
  }

  #mayOpen({ section, pinned }: Entry, at: number): boolean {
    const isPlan = planSections.has(section) && !pinned && (this.sizes[at] ?? 0) >= minOpening;
    return section === 'outputs' || isPlan;
  }

  /**
   * The layout of the first `count` entries. Later timelines mostly have the same entries there, so they share the
   * cached layout. `name` identifies everything else that a layout depends on.
   */
  settledLayout(
    name: string,
    count: number,
    make: () => SettledLayout | undefined,
  ): SettledLayout | undefined {
    const entries = this.entries.slice(0, count);
    const known = this.#settled.get(name);
    if (
      known?.entries.length === count &&
      known.entries.every((entry, at) => entry === entries[at])
    )
      return known.layout;
    const layout = make();
    if (layout) this.#settled.set(name, { entries, layout });
    return layout;
  }

  /** Estimated tokens of all whole entries. */
  get size(): number {
    return (this.#size ??= this.sizes.reduce((sum, size) => sum + size, 0));
  }

  filter(isIncluded: (entry: Entry) => boolean): TimelineIndex {
    return TimelineIndex.of(this.entries.filter(isIncluded));
  }

  /** The index without some pinned entries. */
  withoutPinned(removed: ReadonlySet<Entry>): TimelineIndex {
    if (removed.size === 0) return this;
    return this.filter((entry) => !entry.pinned || !removed.has(entry));
  }

  /** The index of the first entry of `version` or a later one. */
  placeOf(version: number): number {
    return this.#firstPlace((entry) => entry.version >= version);
  }

  /** The entry with this version and ref; undefined if there is none. */
  find(target: Readonly<{ version: number; ref: string }>): Entry | undefined {
    const place = this.#firstPlace((entry) => inOrder(entry, target) > 0);
    const entry = this.entries[place];
    return entry?.version === target.version && entry.ref === target.ref ? entry : undefined;
  }

  /** The index without the entries of some refs, and with other entries. */
  with(added: readonly Entry[], removed: ReadonlySet<string>): TimelineIndex {
    const last = this.entries.at(-1);
    const sorted = added.toSorted(inOrder);
    const isBehind = !last || !sorted[0] || inOrder(last, sorted[0]) < 0;
    if (removed.size === 0 && isBehind) return this.#append(sorted);
    const left = this.entries.filter(({ ref }) => !removed.has(ref));
    return TimelineIndex.of([...left, ...sorted]);
  }

  /**
   * The tally of the entries of some classes in an aligned group of versions, or in the existing part of one; undefined
   * if there are none.
   */
  tally({ from, to }: VersionGroup, classes: readonly EntryClass[]): GroupTally | undefined {
    const count = Math.ceil((to - from + 1) / groupSize);
    return this.groups.tally(classes, { first: leafOf(from), count });
  }

  /**
   * The tally of the entries of some classes in a group of versions that is not full, without entries from index
   * `before` on.
   */
  partialTally(
    { from, to }: VersionGroup,
    { classes, before }: Readonly<{ classes: readonly EntryClass[]; before: number }>,
  ): GroupTally | undefined {
    const entries = this.entries
      .slice(this.placeOf(from), Math.min(before, this.placeOf(to + 1)))
      .filter((entry) => !entry.pinned && classes.includes(classOf(entry)));
    return talliedEntries(entries);
  }

  /**
   * Reads and tallies entries in steps, for views that show at most the last `within` entries individually and roll the
   * others up.
   */
  *prepare(within: number): Generator<void, void> {
    const near = this.entries.slice(this.entries.length - within);
    const isAllRead = near.every((entry) => entry.isRead);
    for (const entry of near) {
      yield* entry.read();
      yield;
    }
    const far = this.entries[this.entries.length - within - 1];
    if (far) yield* this.groups.prepare(Math.floor(far.version / groupSize));
    if (!isAllRead) this.#forgetReadings();
  }

  #forgetReadings(): void {
    let left = maxReadTokens;
    for (let at = this.entries.length - 1; at >= 0; at--) {
      left -= this.sizes[at] ?? 0;
      if (left < 0) this.entries[at]?.forgetReading();
    }
  }

  /** Binary search for the index of the first entry that meets a condition which all later ones meet too. */
  #firstPlace(isTrue: (entry: Entry) => boolean): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.entries[middle];
      if (!entry || isTrue(entry)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The entries of a class from index `from` to before index `end`. */
  #entriesIn(of: EntryClass, from: number, end: number): readonly Entry[] {
    return this.entries.slice(from, end).filter((entry) => !entry.pinned && classOf(entry) === of);
  }

  #append(added: readonly Entry[]): TimelineIndex {
    const first = this.entries.length;
    const sizes = new Float64Array(first + added.length);
    sizes.set(this.sizes);
    const { outputs, others, pinned } = this.places;
    const places = { outputs: [...outputs], others: [...others], pinned: [...pinned] };
    for (const [at, entry] of added.entries()) {
      sizes[first + at] = entry.size;
      places[entry.pinned ? 'pinned' : classOf(entry)].push(first + at);
    }
    const newest = this.entries.at(-1)?.version ?? 0;
    const isLater = added.every(({ version }) => version > newest);
    const earlier = isLater ? this : undefined;
    return new TimelineIndex([...this.entries, ...added], sizes, places, earlier);
  }
}

/** The entries that a view within a budget may show individually; it rolls the others up. */
export function entriesWithin(index: TimelineIndex, maxTokens: number): readonly Entry[] {
  const first = index.entries.length - countWithin(index, maxTokens);
  const old = index.places.pinned.filter((at) => at < first);
  return [...old.flatMap((at) => index.entries[at] ?? []), ...index.entries.slice(first)];
}

/** How many of the newest entries a view may show individually. It shows older entries only if they are pinned. */
function countWithin({ entries, sizes }: TimelineIndex, maxTokens: number): number {
  let left = farthestIncluded(maxTokens);
  let first = entries.length;
  while (first > 0 && left > 0) left -= countedSize(sizes[--first] ?? 0);
  return entries.length - first;
}

/** Estimated tokens that can all be read in less than a tenth of a second. */
const littleToRead = 50_000;

/**
 * Reads and tallies the entries of a view in steps, unless they fit whole. The estimate may be too low and excludes the
 * other parts of the view, so a large context is prepared even if it seems to fit.
 */
export function* prepareTimeline(index: TimelineIndex, maxTokens: number): Generator<void, void> {
  if (index.size > Math.min(maxTokens, littleToRead))
    yield* index.prepare(countWithin(index, maxTokens));
}

/** Messages of people are shortened later than outputs of agents. */
export function classOf({ section, isByPerson }: Entry): EntryClass {
  return (section === 'outputs' || section === 'failures') && !isByPerson ? 'outputs' : 'others';
}

type SortKey = Pick<Entry, 'version' | 'ref'>;

/** Oldest first; within one version by ref, so that the items alone determine the order. */
export function inOrder(left: SortKey, right: SortKey): number {
  return left.version - right.version || (left.ref < right.ref ? -1 : 1);
}

const noPlaces: Places = { outputs: [], others: [], pinned: [] };
