import { copyJson } from '#event-sourcing';
import { finish } from '#shared-context';

import { type Tally, type TallyInput, tallyOf } from '../digests/index.js';
import { type Entry, type EntryGroup, wholeText } from '../entries/entry.js';
import { GroupTally, bothTallies } from '../segments/group-tally.js';
import { groupSize, groupsBefore, leafOf } from './version-groups.js';

/** Classes of entries that are tallied separately: a view shortens step outputs before everything else. */
export const entryClasses = ['outputs', 'others'] as const;
export type EntryClass = (typeof entryClasses)[number];

/** `count` groups of versions of the smallest size. `count` is a power of two, and `first` a multiple of it. */
type Leaves = Readonly<{ first: number; count: number }>;

/** Returns the entries of a class in groups of versions, except pinned entries, which every view shows individually. */
type EntriesIn = (of: EntryClass, leaves: Leaves) => readonly Entry[];

/**
 * The entries of a class in {@link blockLeaves} groups. Its tally is worth storing: it is slow to compute, and all
 * later views need it.
 */
export type Block = Readonly<{ of: EntryClass; first: number; entries: readonly Entry[] }>;

export type TalliedBlock = Block & Pick<GroupTally, 'tally' | 'covers'>;

/** How many groups of the smallest size are in a block. */
const blockLeaves = 4;
/** In estimated tokens. */
const largeGroup = 16_384;

/** Everything that the tally of a block depends on, in parts: blocks with equal texts have equal tallies. */
export function* blockTexts({ of, entries }: Block): Generator<string> {
  yield of;
  for (const entry of entries) yield `\n${wholeText(entry)}`;
}

/**
 * Tallies of aligned groups of versions of one timeline. Tallies of leaves and blocks are cached on their first entry,
 * and merged ones on their parts, so that timelines with the same entries in a group compute its tally once.
 */
export class GroupTallies {
  /** Tallies of groups that no further version can join, by classes and leaves. Shared with later timelines. */
  readonly #full: Map<string, GroupTally | undefined>;
  readonly #growing = new Map<string, GroupTally | undefined>();
  readonly #fresh: TalliedBlock[] = [];
  #isContinued = false;

  /**
   * `newest`: the newest version of the timeline. `earlier`: the tallies of the same timeline without its latest
   * versions.
   */
  constructor(
    private readonly entriesIn: EntriesIn,
    private readonly newest: number,
    earlier?: GroupTallies,
  ) {
    // Two later timelines may differ in a group that is not full in the earlier one.
    const shared = earlier && !earlier.#isContinued ? earlier : undefined;
    this.#full = shared ? shared.#full : new Map<string, GroupTally | undefined>();
    if (shared) shared.#isContinued = true;
  }

  /** The tally of the entries of these classes; undefined if there are none. */
  tally(classes: readonly EntryClass[], leaves: Leaves): GroupTally | undefined {
    const name = nameOf(classes, leaves);
    const known = this.#isFull(leaves) ? this.#full : this.#growing;
    if (known.has(name)) return known.get(name);
    const made = classes.map((of) => this.#ofClass(of, leaves)).reduce(bothTallies, undefined);
    known.set(name, made);
    return made;
  }

  /** Tallies the full groups of views that consist of the first `leaves` leaves, in steps, smaller groups first. */
  *prepare(leaves: number): Generator<void, void> {
    for (const { from, to } of groupsBefore(leaves * groupSize + 1))
      for (const of of entryClasses)
        yield* this.#prepareGroup(of, { first: leafOf(from), count: (to + 1 - from) / groupSize });
  }

  /** Full, non-empty blocks whose tallies are not cached. */
  untallied(): readonly Block[] {
    const full = Math.floor(this.newest / (blockLeaves * groupSize));
    const starts = Array.from({ length: full }, (_, at) => at * blockLeaves);
    return entryClasses
      .flatMap((of) => starts.map((first) => this.#block(of, first)))
      .filter(({ entries }) => entries.length > 0 && !knownTally({ leaves: blockLeaves, entries }));
  }

  /** Caches the stored tally of a block with exactly these entries. */
  learn({ entries }: Block, { tally, covers }: Readonly<{ tally: Tally; covers: number }>): void {
    learnTally({ leaves: blockLeaves, entries }, new GroupTally(tally, covers));
  }

  /** Returns the full blocks that this timeline has tallied since the last call. */
  takeFresh(): readonly TalliedBlock[] {
    return this.#fresh.splice(0);
  }

  /** Merges the tallies of both halves, down to single leaves. */
  #ofClass(of: EntryClass, leaves: Leaves): GroupTally | undefined {
    const { first, count } = leaves;
    if (count <= 1) return talliedEntries(this.entriesIn(of, leaves));
    if (count === blockLeaves) return this.#ofBlock(of, first);
    return this.#ofHalves(of, leaves);
  }

  #ofHalves(of: EntryClass, leaves: Leaves): GroupTally | undefined {
    const halves = halvesOf(leaves).map((half) => this.tally([of], half));
    return halves.reduce(bothTallies, undefined);
  }

  #ofBlock(of: EntryClass, first: number): GroupTally | undefined {
    const block = this.#block(of, first);
    const group = { leaves: blockLeaves, entries: block.entries };
    const known = knownTally(group);
    if (known) return known;
    const made = this.#ofHalves(of, { first, count: blockLeaves });
    if (!made) return undefined;
    learnTally(group, made);
    const { tally, covers } = made;
    if (this.#isFull({ first, count: blockLeaves })) this.#fresh.push({ ...block, tally, covers });
    return made;
  }

  *#prepareGroup(of: EntryClass, leaves: Leaves): Generator<void, void> {
    if (this.#full.has(nameOf([of], leaves))) return;
    const entries = this.entriesIn(of, leaves);
    if (leaves.count === 1 && entries.length > 0) yield* talliedInSteps(entries);
    if (leaves.count > 1 && !knownTally({ leaves: leaves.count, entries }))
      for (const half of halvesOf(leaves)) yield* this.#prepareGroup(of, half);
    this.tally([of], leaves);
    yield;
  }

  #isFull({ first, count }: Leaves): boolean {
    return (first + count) * groupSize <= this.newest;
  }

  #block(of: EntryClass, first: number): Block {
    return { of, first, entries: this.entriesIn(of, { first, count: blockLeaves }) };
  }
}

function halvesOf({ first, count }: Leaves): readonly Leaves[] {
  const half = count / 2;
  return [
    { first, count: half },
    { first: first + half, count: half },
  ];
}

function nameOf(classes: readonly EntryClass[], { first, count }: Leaves): string {
  return `${classes.join()} ${first} ${count}`;
}

/** The tally of entries in the order of their versions; undefined if there are none. */
export function talliedEntries(entries: readonly Entry[]): GroupTally | undefined {
  return entries.length === 0 ? undefined : finish(talliedInSteps(entries));
}

/** Reads one entry after the other in steps. */
function* talliedInSteps(entries: readonly Entry[]): Generator<void, GroupTally> {
  const group = { leaves: 1, entries };
  const known = knownTally(group);
  if (known) return known;
  const read: TallyInput[] = [];
  for (const entry of entries) {
    const facts = yield* entry.facts();
    const { kind, key, version, author } = entry;
    read.push({ kind, key, version, author: author ?? '', phase: null, facts });
  }
  const tally = tallyOf(read);
  const covers = entries.reduce((sum, entry) => sum + entry.size, 0);
  const made = new GroupTally(covers > largeGroup ? copyOf(tally) : tally, covers);
  learnTally(group, made);
  return made;
}

/** Tallies are cached on the first entry of their group. */
function knownTally(group: EntryGroup): GroupTally | undefined {
  return group.entries[0]?.tallyOf(group);
}

function learnTally(group: EntryGroup, tally: GroupTally): void {
  group.entries[0]?.learnTally(group, tally);
}

/** Facts may be substrings of the texts that contain them. Copying a tally lets these texts be collected. */
function copyOf(tally: Tally): Tally {
  return copyJson(tally);
}
