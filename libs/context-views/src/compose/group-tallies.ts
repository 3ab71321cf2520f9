import { type GroupTally, mergedTallies, tallied, talliedInSteps } from './entry-tally.js';
import {
  type Block,
  type EntryClass,
  type LeafEntries,
  type Leaves,
  blockLeaves,
  blockOf,
  entryClasses,
  halvesOf,
} from './version-blocks.js';
import { groupSize } from './version-groups.js';

export type TalliedBlock = Block & GroupTally;

type Changed = Readonly<Record<EntryClass, ReadonlySet<number>>>;

/** Tallies that several timelines share. `fresh`: blocks that have not been taken to be stored yet. */
type Shared = Readonly<{ made: Map<string, GroupTally>; fresh: TalliedBlock[] }>;

type Within = Readonly<{ entriesIn: LeafEntries; newest: number }>;

const unchanged: Changed = { outputs: new Set(), others: new Set() };

/**
 * Tallies of aligned groups of versions. Timelines with the same entries in a group share its tally, so that it is made once.
 * Only groups to which no further version can be added are cached.
 */
export class GroupTallies {
  static none(): GroupTallies {
    return new GroupTallies({ made: new Map(), fresh: [] }, unchanged, new Map());
  }

  /** How many leaves {@link prepare} has covered. */
  #prepared = 0;

  private constructor(
    private readonly shared: Shared,
    /** Leaves whose entries differ from those of the timelines with which this one shares tallies. */
    private readonly changed: Changed,
    private readonly own: Map<string, GroupTally>,
  ) {}

  /** The tally of the entries of these classes. `newest`: the newest version of the context. */
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
   * Tallies the full groups among the first `leaves` in steps, as {@link tally} would, smaller groups first: larger ones are
   * merged from them. Skips groups that an existing larger tally makes unnecessary.
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

  /** If `block` is not full, tallies its leaves only. */
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

  /** Merges the tallies of both halves, down to single leaves. */
  #ofClass(of: EntryClass, leaves: Leaves, within: Within): GroupTally | undefined {
    const { first, count } = leaves;
    const known = this.#madeOf(of, leaves).get(nameOf(of, leaves));
    // A later timeline may have tallied a group that is not full in this one, with more entries.
    if (known && isFull(leaves, within)) return known;
    const made =
      count <= 1
        ? tallied(within.entriesIn(of, first))
        : mergedTallies(halvesOf(leaves).map((half) => this.#ofClass(of, half, within)));
    if (made && isFull(leaves, within))
      this.#keep(of, leaves, { made, entriesIn: within.entriesIn });
    return made;
  }

  /** The tallies of a timeline whose entries differ in these leaves. */
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

  /** Adds the stored tally of a block with exactly these entries. */
  learn({ of, first }: Block, tally: GroupTally): void {
    const leaves = { first, count: blockLeaves };
    this.#madeOf(of, leaves).set(nameOf(of, leaves), tally);
  }

  /** Blocks that this timeline, or one that shares its tallies, has tallied since the last call. */
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

function hasAny(changed: ReadonlySet<number>, { first, count }: Leaves): boolean {
  if (changed.size < count) {
    for (const leaf of changed) if (leaf >= first && leaf < first + count) return true;
    return false;
  }
  for (let leaf = first; leaf < first + count; leaf++) if (changed.has(leaf)) return true;
  return false;
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
