import { type Tally, mergeTallies, tallyOf } from '../digests/index.js';
import { type Entry, wholeText } from '../entries/entry.js';
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

/** A run of entries whose tally is worth keeping: it takes time to make, and is asked for by every view of what follows. */
export type Block = Readonly<{ of: EntryClass; first: number; entries: readonly Entry[] }>;

const blockLeaves = 4;

/**
 * What aligned groups of versions tell together, each made once. Kept are those of groups that nothing can come to any
 * more but by an entry that is replaced: the tallies of what follows have them too.
 */
export class GroupTallies {
  static none(): GroupTallies {
    return new GroupTallies(new Map());
  }

  private constructor(private readonly made: Map<string, GroupTally>) {}

  /** Of twice as many leaves what both halves tell. `newest`: the newest version there is. */
  tally(
    of: EntryClass,
    leaves: Leaves,
    { entriesIn, newest }: Readonly<{ entriesIn: LeafEntries; newest: number }>,
  ): GroupTally | undefined {
    const { first, count } = leaves;
    const name = nameOf(of, leaves);
    const known = this.made.get(name);
    if (known) return known;
    const half = count / 2;
    const halves = [
      { first, count: half },
      { first: first + half, count: half },
    ];
    const made =
      count <= 1
        ? tallied(entriesIn(of, first))
        : mergedTallies(halves.map((each) => this.tally(of, each, { entriesIn, newest })));
    if (made && (first + count) * groupSize <= newest) this.made.set(name, made);
    return made;
  }

  /** For entries that differ from those of these tallies in some leaves. */
  without(changed: Readonly<Record<EntryClass, ReadonlySet<number>>>): GroupTallies {
    const kept = [...this.made].filter(([name]) => {
      const { of, first, count } = parsed(name);
      return !Array.from(changed[of]).some((leaf) => leaf >= first && leaf < first + count);
    });
    return new GroupTallies(new Map(kept));
  }

  known({ of, first }: Block): GroupTally | undefined {
    return this.made.get(nameOf(of, { first, count: blockLeaves }));
  }

  /** Takes a tally of just these entries, made earlier. */
  learn({ of, first }: Block, tally: GroupTally): void {
    this.made.set(nameOf(of, { first, count: blockLeaves }), tally);
  }
}

/** The full blocks up to the newest version that hold anything. */
export function blocksOf(newest: number, entriesIn: LeafEntries): readonly Block[] {
  const full = Math.floor(newest / (blockLeaves * groupSize));
  return entryClasses.flatMap((of) =>
    Array.from({ length: full }, (_, at) => {
      const first = at * blockLeaves;
      const leaves = Array.from({ length: blockLeaves }, (__, leaf) => first + leaf);
      return { of, first, entries: leaves.flatMap((leaf) => entriesIn(of, leaf)) };
    }).filter(({ entries }) => entries.length > 0),
  );
}

/** All that a tally follows from: the same text of the same block makes the same tally. */
export function blockText({ of, entries }: Block): string {
  return `${of}\n${entries.map(wholeText).join('\n')}`;
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
  if (entries.length === 0) return undefined;
  const tally = tallyOf(
    entries.map(({ kind, key, version, author, value }) => ({
      ...{ kind, key, version, value, author: author ?? '', phase: null },
    })),
  );
  return { tally, covers: entries.reduce((sum, entry) => sum + sizeOf(entry), 0) };
}

const sizes = new WeakMap<Entry, number>();

/** Estimated tokens of an entry whole: a quarter of its characters. */
export function sizeOf(entry: Entry): number {
  const known = sizes.get(entry);
  if (known !== undefined) return known;
  const made = Math.ceil(wholeText(entry).length / 4);
  sizes.set(entry, made);
  return made;
}

function nameOf(of: EntryClass, { first, count }: Leaves): string {
  return `${of} ${first} ${count}`;
}

function parsed(name: string): Leaves & Readonly<{ of: EntryClass }> {
  const [of, first, count] = name.split(' ');
  return { of: of === 'outputs' ? of : 'others', first: Number(first), count: Number(count) };
}
