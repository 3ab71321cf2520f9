import { type Entry, wholeText } from '../entries/entry.js';
import { groupSize } from './version-groups.js';

/** Classes of entries that are tallied separately: a view shortens step outputs before everything else. */
export const entryClasses = ['outputs', 'others'] as const;
export type EntryClass = (typeof entryClasses)[number];

/** `count` groups of versions of the smallest size. `count` is a power of two, and `first` a multiple of it. */
export type Leaves = Readonly<{ first: number; count: number }>;

/** The entries of a class in one group of the smallest size, except those that every view shows by themselves. */
export type LeafEntries = (of: EntryClass, leaf: number) => readonly Entry[];

/** The entries of a class in {@link blockLeaves} groups. Its tally is worth storing: it is slow to make, and all later views need it. */
export type Block = Readonly<{ of: EntryClass; first: number; entries: readonly Entry[] }>;

/** How many groups of the smallest size a block has. */
export const blockLeaves = 4;

/** The blocks up to the newest version that are full and have entries. */
export function blocksOf(newest: number, entriesIn: LeafEntries): readonly Block[] {
  const full = Math.floor(newest / (blockLeaves * groupSize));
  const starts = Array.from({ length: full }, (_, at) => at * blockLeaves);
  return entryClasses
    .flatMap((of) => starts.map((first) => blockOf(of, first, entriesIn)))
    .filter(({ entries }) => entries.length > 0);
}

export function blockOf(of: EntryClass, first: number, entriesIn: LeafEntries): Block {
  const leaves = Array.from({ length: blockLeaves }, (_, at) => first + at);
  return { of, first, entries: leaves.flatMap((leaf) => entriesIn(of, leaf)) };
}

/** Everything that the tally of a block depends on, in parts: blocks with equal texts have equal tallies. */
export function* blockTexts({ of, entries }: Block): Generator<string> {
  yield of;
  for (const entry of entries) yield `\n${wholeText(entry)}`;
}

export function halvesOf({ first, count }: Leaves): readonly Leaves[] {
  const half = count / 2;
  return [
    { first, count: half },
    { first: first + half, count: half },
  ];
}
