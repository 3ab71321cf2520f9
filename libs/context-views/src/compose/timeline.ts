import { type Entry, type EntryForm } from '../entries/entry.js';
import { type Pressure, type Windows } from './pressure.js';
import { type VersionGroup, groupStart, groupsBefore } from './version-groups.js';

/** An entry and how far it lies behind. */
export type Placed = Readonly<{
  entry: Entry;
  distance: number;
  /** Since the last quantum was full. */
  isRecent: boolean;
  /** How many outputs are newer; of other entries, without end. */
  newer: number;
  /** How many of those that are not recent. */
  newerSettled: number;
  /** Takes so much of the budget that it is whole only among the newest outputs. */
  isLarge: boolean;
}>;

export type Formed = Placed & Readonly<{ form: EntryForm }>;

/** Entries that are told of by themselves, and the groups in which the others are rolled up. */
export type Timeline = Readonly<{
  single: readonly Formed[];
  groups: readonly (VersionGroup & Readonly<{ entries: readonly Entry[] }>)[];
}>;

type Sorted = Placed & Readonly<{ form: EntryForm | 'rollup' }>;

/** The form of each entry under a pressure: by how far it lies behind, and by what must not be dropped. */
export function formTimeline(placed: readonly Placed[], pressure: Pressure): Timeline {
  const formed = placed.map((each): Sorted => ({ ...each, form: formOf(each, pressure) }));
  const end = rolledBefore(formed, pressure);
  const isRolled = ({ form, entry }: Sorted) => form === 'rollup' && entry.version < end;
  const groups = groupsBefore(end)
    .map((group) => ({ ...group, entries: entriesIn(formed.filter(isRolled), group) }))
    .filter(({ entries }) => entries.length > 0);
  const single = formed
    .filter((each) => !isRolled(each))
    .map(({ form, ...each }): Formed => ({ ...each, form: form === 'rollup' ? 'line' : form }));
  return { single, groups };
}

/** Whole groups of versions of which nothing is nearer than what is rolled up. */
function rolledBefore(formed: readonly Sorted[], pressure: Pressure): number {
  const far = formed.filter(({ form }) => form === 'rollup');
  const newest = far.at(-1);
  if (!newest) return 1;
  const kinds = new Set(far.map(({ entry }) => entry.section));
  const nearest = formed.find(
    (each) => each.form !== 'rollup' && !isKept(each, pressure) && kinds.has(each.entry.section),
  );
  return groupStart(nearest ? nearest.entry.version : newest.entry.version + 1);
}

/** Told of by itself however far it lies behind. */
function isKept(placed: Placed, pressure: Pressure): boolean {
  const { entry, newer } = placed;
  return entry.pinned || entry.isPast || newer < pressure.newest || isLate(placed, pressure);
}

function entriesIn(formed: readonly Sorted[], { from, to }: VersionGroup): readonly Entry[] {
  return formed
    .filter(({ entry }) => Math.max(entry.version, 1) >= from && entry.version <= to)
    .map(({ entry }) => entry);
}

function formOf(placed: Placed, pressure: Pressure): EntryForm | 'rollup' {
  const { entry, newer } = placed;
  if (entry.pinned) return pinnedForm(entry, pressure);
  if (entry.isPast && pressure.past === 'line') return 'line';
  if (newer < pressure.newest || isCalm(pressure)) return 'whole';
  if (isLate(placed, pressure)) return recentForm(placed, pressure);
  return byDistance(placed, isOutput(entry) ? pressure.outputs : pressure.history);
}

function pinnedForm({ kind }: Entry, { decisions }: Pressure): EntryForm {
  return kind === 'decision' ? decisions : 'whole';
}

/** Nothing gives way. */
function isCalm({ outputs }: Pressure): boolean {
  return outputs.whole === Infinity;
}

function recentForm({ isLarge }: Placed, { recent }: Pressure): EntryForm {
  return isLarge && recent === 'whole' ? 'digest' : recent;
}

/** Recent, or among the newest when what is recent began: so that these stay as they are meanwhile. */
function isLate({ isRecent, newerSettled }: Placed, { kept }: Pressure): boolean {
  return isRecent || newerSettled < kept;
}

export function isOutput({ section }: Entry): boolean {
  return section === 'outputs' || section === 'failures';
}

function byDistance({ distance, isLarge }: Placed, windows: Windows): EntryForm | 'rollup' {
  if (distance < windows.whole && (!isLarge || windows.whole === Infinity)) return 'whole';
  if (distance < windows.digest) return 'digest';
  return distance < windows.line ? 'line' : 'rollup';
}
