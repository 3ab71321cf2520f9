import { finish } from '#shared-context';

import { type Tally, type TallyInput, mergeTallies, tallyOf } from '../digests/index.js';
import { type Entry, wholeText } from '../entries/entry.js';
import { factsOfEntry } from './entry-readings.js';
import { sizeOf } from './entry-sizes.js';
import { groupSize } from './version-groups.js';

/** What gives way first, and what gives way with everything else. */
export const entryClasses = ['outputs', 'others'] as const;
export type EntryClass = (typeof entryClasses)[number];

/** What is told in a roll-up: how many entries, of how many estimated tokens. */
export type GroupTally = Readonly<{ tally: Tally; covers: number }>;

/** `count` groups of versions of the least size, a power of two, the first of them a multiple of it. */
export type Leaves = Readonly<{ first: number; count: number }>;

/** The entries of a class in a group of the least size, those left out that are told of by themselves in any case. */
export type LeafEntries = (of: EntryClass, leaf: number) => readonly Entry[];

/** A run of entries whose tally is worth keeping: it takes time to make, and views of all that follows ask for it. */
export type Block = Readonly<{ of: EntryClass; first: number; entries: readonly Entry[] }>;

export type TalliedBlock = Block & GroupTally;

type Changed = Readonly<Record<EntryClass, ReadonlySet<number>>>;

/** Of entries that many timelines have in common. `fresh`: blocks nobody has taken to keep them elsewhere. */
type Shared = Readonly<{ made: Map<string, GroupTally>; fresh: TalliedBlock[] }>;

type Within = Readonly<{ entriesIn: LeafEntries; newest: number }>;

const blockLeaves = 4;
/** In estimated tokens. */
const largeGroup = 65_536;
const unchanged: Changed = { outputs: new Set(), others: new Set() };

/**
 * What aligned groups of versions tell together, each made once, in whichever timeline: those that have the same entries
 * there have it too. Kept are those of groups that nothing can come to any more.
 */
export class GroupTallies {
  static none(): GroupTallies {
    return new GroupTallies({ made: new Map(), fresh: [] }, unchanged, new Map());
  }

  /** Of so many leaves everything is made that views of these entries ask for. */
  #prepared = 0;

  private constructor(
    private readonly shared: Shared,
    /** Leaves whose entries are others than those of the timelines this is shared with. */
    private readonly changed: Changed,
    private readonly own: Map<string, GroupTally>,
  ) {}

  /** What the entries of some classes tell together. `newest`: the newest version there is. */
  tally(classes: readonly EntryClass[], leaves: Leaves, within: Within): GroupTally | undefined {
    const [only] = classes;
    if (only && classes.length === 1) return this.#ofClass(only, leaves, within);
    const name = nameOf('all', leaves);
    const all = entryClasses.some((of) => hasAny(this.changed[of], leaves))
      ? this.own
      : this.shared.made;
    const known = all.get(name);
    if (known && isFull(leaves, within)) return known;
    const made = mergedTallies(classes.map((of) => this.#ofClass(of, leaves, within)));
    if (made && isFull(leaves, within)) all.set(name, made);
    return made;
  }

  /**
   * Makes in steps what {@link tally} would make of the full groups among the first `leaves`, the smallest first: each is
   * made of smaller ones, and nothing is made that a larger one has made unnecessary.
   */
  *prepare(leaves: number, within: Within): Generator<void, void> {
    if (leaves <= this.#prepared) return;
    for (let first = 0; first < leaves; first += blockLeaves) {
      const block = { first, count: Math.min(blockLeaves, leaves - first) };
      for (const of of entryClasses) yield* this.#prepareBlock(of, block, within);
    }
    for (let count = 2 * blockLeaves; count <= leaves; count *= 2)
      for (let first = 0; first + count <= leaves; first += count) {
        for (const of of entryClasses) this.#ofClass(of, { first, count }, within);
        yield;
      }
    this.#prepared = Math.max(this.#prepared, leaves);
  }

  /** `block` may be the beginning of one, of which only the leaves are made. */
  *#prepareBlock(of: EntryClass, block: Leaves, within: Within): Generator<void, void> {
    const isWhole = block.count === blockLeaves;
    if (isWhole && this.#madeOf(of, block).has(nameOf(of, block))) return;
    for (let leaf = block.first; leaf < block.first + block.count; leaf++) {
      const made = yield* talliedInSteps(within.entriesIn(of, leaf));
      if (made) this.#keep(of, { first: leaf, count: 1 }, { made, entriesIn: within.entriesIn });
      yield;
    }
    if (isWhole) this.#ofClass(of, block, within);
  }

  /** Of twice as many leaves what both halves tell. */
  #ofClass(of: EntryClass, leaves: Leaves, within: Within): GroupTally | undefined {
    const { first, count } = leaves;
    const known = this.#madeOf(of, leaves).get(nameOf(of, leaves));
    // What is full in a later timeline is not in this one: there it tells of more.
    if (known && isFull(leaves, within)) return known;
    const made =
      count <= 1
        ? tallied(within.entriesIn(of, first))
        : mergedTallies(halvesOf(leaves).map((half) => this.#ofClass(of, half, within)));
    if (made && isFull(leaves, within))
      this.#keep(of, leaves, { made, entriesIn: within.entriesIn });
    return made;
  }

  /** For entries that differ from those of these tallies in some leaves. */
  without(changed: Changed): GroupTallies {
    const all = {
      outputs: new Set([...this.changed.outputs, ...changed.outputs]),
      others: new Set([...this.changed.others, ...changed.others]),
    };
    const own = [...this.own].filter(([name]) => {
      const { classes, ...leaves } = parsed(name);
      return !classes.some((of) => hasAny(changed[of], leaves));
    });
    return new GroupTallies(this.shared, all, new Map(own));
  }

  knows({ of, first }: Block): boolean {
    const leaves = { first, count: blockLeaves };
    return this.#madeOf(of, leaves).has(nameOf(of, leaves));
  }

  /** Takes a tally of just these entries, made earlier. */
  learn({ of, first }: Block, tally: GroupTally): void {
    const leaves = { first, count: blockLeaves };
    this.#madeOf(of, leaves).set(nameOf(of, leaves), tally);
  }

  /** Blocks that were tallied since the last time, in any of the timelines this is shared with. */
  takeFresh(): readonly TalliedBlock[] {
    return this.shared.fresh.splice(0);
  }

  #madeOf(of: EntryClass, leaves: Leaves): Map<string, GroupTally> {
    return hasAny(this.changed[of], leaves) ? this.own : this.shared.made;
  }

  #keep(
    of: EntryClass,
    leaves: Leaves,
    { made, entriesIn }: Readonly<{ made: GroupTally; entriesIn: LeafEntries }>,
  ): void {
    this.#madeOf(of, leaves).set(nameOf(of, leaves), made);
    if (leaves.count === blockLeaves)
      this.shared.fresh.push({ ...blockOf(of, leaves.first, entriesIn), ...made });
  }
}

/** The full blocks up to the newest version that hold anything. */
export function blocksOf(newest: number, entriesIn: LeafEntries): readonly Block[] {
  const full = Math.floor(newest / (blockLeaves * groupSize));
  const starts = Array.from({ length: full }, (_, at) => at * blockLeaves);
  return entryClasses
    .flatMap((of) => starts.map((first) => blockOf(of, first, entriesIn)))
    .filter(({ entries }) => entries.length > 0);
}

function blockOf(of: EntryClass, first: number, entriesIn: LeafEntries): Block {
  const leaves = Array.from({ length: blockLeaves }, (_, at) => first + at);
  return { of, first, entries: leaves.flatMap((leaf) => entriesIn(of, leaf)) };
}

function halvesOf({ first, count }: Leaves): readonly Leaves[] {
  const half = count / 2;
  return [
    { first, count: half },
    { first: first + half, count: half },
  ];
}

function hasAny(changed: ReadonlySet<number>, { first, count }: Leaves): boolean {
  if (changed.size < count) {
    for (const leaf of changed) if (leaf >= first && leaf < first + count) return true;
    return false;
  }
  for (let leaf = first; leaf < first + count; leaf++) if (changed.has(leaf)) return true;
  return false;
}

/** All that a tally follows from, in parts: the same text of the same block makes the same tally. */
export function* blockTexts({ of, entries }: Block): Generator<string> {
  yield of;
  for (const entry of entries) yield `\n${wholeText(entry)}`;
}

export function mergedTallies(parts: readonly (GroupTally | undefined)[]): GroupTally | undefined {
  const told = parts.flatMap((part) => part ?? []);
  const [only] = told;
  if (told.length <= 1) return only;
  return {
    tally: mergeTallies(told.map(({ tally }) => tally)),
    covers: told.reduce((sum, { covers }) => sum + covers, 0),
  };
}

function tallied(entries: readonly Entry[]): GroupTally | undefined {
  return finish(talliedInSteps(entries));
}

/** Reads one entry after the other: of large ones, no more than the cache has room for are in memory. */
function* talliedInSteps(entries: readonly Entry[]): Generator<void, GroupTally | undefined> {
  if (entries.length === 0) return undefined;
  const read: TallyInput[] = [];
  for (const entry of entries) {
    const facts = yield* factsOfEntry(entry);
    const { kind, key, version, author } = entry;
    read.push({ kind, key, version, author: author ?? '', phase: null, facts });
  }
  const tally = tallyOf(read);
  const covers = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  return { tally: covers > largeGroup ? copyOf(tally) : tally, covers };
}

/** The facts of a tally may be parts of the texts in which they stand, and would keep all of these in memory. */
function copyOf(tally: Tally): Tally {
  return JSON.parse(JSON.stringify(tally)) as Tally;
}

function isFull({ first, count }: Leaves, { newest }: Within): boolean {
  return (first + count) * groupSize <= newest;
}

function nameOf(of: EntryClass | 'all', { first, count }: Leaves): string {
  return `${of} ${first} ${count}`;
}

function parsed(name: string): Leaves & Readonly<{ classes: readonly EntryClass[] }> {
  const [of, first, count] = name.split(' ');
  const classes = entryClasses.filter((each) => of === 'all' || of === each);
  return { classes, first: Number(first), count: Number(count) };
}
