import { type Entry, type EntryForm } from '../entries/entry.js';
import { type DigestRoom } from '../entries/entry-text.js';
import { type CompressionLevel, type Windows } from './compression-level.js';
import { type EntryClass } from './group-tallies.js';
import { type TimelineIndex, classOf } from './timeline-index.js';
import { type VersionGroup, groupStart, groupsBefore } from './version-groups.js';

/** How far behind each entry of a timeline lies, under a budget. */
export type Placed = Readonly<{
  index: TimelineIndex;
  /** How many of its entries are looked at, the oldest ones. */
  count: number;
  /** How many came before the last quantum was full. */
  settled: number;
  /** Estimated tokens behind each entry, by its place; negative for what came since the last quantum was full. */
  distances: Float64Array;
  /** Places of the newest outputs, the newest first. */
  newest: readonly number[];
  /** What takes more is whole only among the newest outputs. */
  largest: number;
  /** The place of the entry that states the task. It is shown before roll-ups. */
  opening: number | undefined;
  maxTokens: number;
  /** Pinned entries that have these forms under any pressure. */
  shortened?: ReadonlyMap<Entry, ShortForm> | undefined;
  /** Decisions no longer in force have no line of their own. */
  hidesPast?: boolean | undefined;
}>;

export type ShortForm = Readonly<{ form: 'digest' | 'line'; room: DigestRoom }>;

/** Entries that are shown by themselves, and the groups of versions in which others are rolled up. */
export type Timeline = Readonly<{
  /** Indexes of the entries that are shown by themselves, oldest first. */
  single: readonly number[];
  groups: readonly VersionGroup[];
  /** What is rolled up. */
  classes: readonly EntryClass[];
  /** The number of entries, from the oldest on, that this timeline shows or rolls up. */
  count: number;
}>;

/** What a pressure shows by itself and what it rolls up. Takes time in proportion to what is shown. */
export function formTimeline(placed: Placed, compression: CompressionLevel): Timeline {
  const { index, count } = placed;
  const far = {
    outputs: reach(placed, compression.outputs),
    others: reach(placed, compression.history),
  };
  const classes = (['outputs', 'others'] as const).filter((each) =>
    isAnyFar(index, each, far[each]),
  );
  const end = Math.min(...classes.map((each) => groupStart(nearest(placed, each, far[each]))));
  const newest = compression.partial === 'no' ? 0 : newestVersion(placed);
  if (classes.length === 0 || (end <= 1 && newest < 1))
    return { single: shownOf(placed, range(0, count)), groups: [], classes, count };
  const from = newest > 0 ? count : Math.min(index.placeOf(end), count);
  const others = classes.includes('others')
    ? pastSince(placed, end, compression)
    : index.places.others;
  const old = [...new Set([...neverRolledUp(placed, compression), ...others])]
    .filter((at) => at < from)
    .sort((left, right) => left - right);
  const rest = newest >= end ? [{ from: end, to: newest }] : [];
  return {
    single: shownOf(placed, [...old, ...range(from, count)]),
    classes,
    count,
    groups: [...groupsBefore(end), ...rest],
  };
}

function neverRolledUp(placed: Placed, compression: CompressionLevel): readonly number[] {
  const { index, opening, newest } = placed;
  const first =
    opening === undefined || isRolledUpToo(placed, opening, compression) ? [] : [opening];
  return [...index.places.kept, ...first, ...newest.slice(0, compression.newest)];
}

/** An output that only comes first says less of what the work is about than an input or a person. */
function isRolledUpToo(placed: Placed, opening: number, compression: CompressionLevel): boolean {
  const { pinned, isByPerson } = entryAt(placed, opening);
  return compression.rollsUpFirst && !pinned && !isByPerson;
}

function shownOf(placed: Placed, places: readonly number[]): readonly number[] {
  return placed.hidesPast ? places.filter((at) => !entryAt(placed, at).isPast) : places;
}

/** In the group that is not full, decisions no longer in force are references before they are part of a roll-up. */
function pastSince(
  { index }: Placed,
  version: number,
  { partial }: CompressionLevel,
): readonly number[] {
  if (partial !== 'but-past') return [];
  const from = index.placeOf(version);
  return index.places.others.filter((at) => at >= from && index.entries[at]?.isPast);
}

function newestVersion({ index, count }: Placed): number {
  return index.entries[count - 1]?.version ?? 0;
}

/** The form in which an entry is shown by itself. */
export function formOf(placed: Placed, at: number, compression: CompressionLevel): EntryForm {
  const entry = entryAt(placed, at);
  if (entry.pinned) return pinnedForm(placed, at, compression);
  if (entry.isPast && compression.past === 'line') return 'line';
  if (isCalm(compression) || isAmong(placed.newest, compression.newest, at)) return 'whole';
  if (at >= placed.settled) return recentForm(placed, at, compression);
  return byDistance(
    placed,
    at,
    classOf(entry) === 'outputs' ? compression.outputs : compression.history,
  );
}

export function entryAt({ index }: Placed, at: number): Entry {
  const entry = index.entries[at];
  if (!entry) throw new RangeError(`there is no entry ${at}`);
  return entry;
}

function recentForm(placed: Placed, at: number, { recent }: CompressionLevel): EntryForm {
  return shorterIf(isLarge(placed, at), recent);
}

function isLarge({ index, largest }: Placed, at: number): boolean {
  return valueAt(index.sizes, at) > largest;
}

function shorterIf(isTooLarge: boolean, form: EntryForm): EntryForm {
  return isTooLarge && form === 'whole' ? 'digest' : form;
}

function byDistance(placed: Placed, at: number, { whole, digest }: Windows): EntryForm {
  const distance = valueAt(placed.distances, at);
  if (distance < whole) return shorterIf(whole < Infinity && isLarge(placed, at), 'whole');
  return distance < digest ? 'digest' : 'line';
}

function valueAt(values: Float64Array, at: number): number {
  return values[at] ?? 0;
}

const fullerThan = { whole: 'whole', brief: 'whole', bare: 'brief' } as const;

function pinnedForm(placed: Placed, at: number, compression: CompressionLevel): EntryForm {
  const { kind } = entryAt(placed, at);
  if (kind !== 'decision') return 'whole';
  const { decisions, fuller } = compression;
  const { kept } = placed.index.places;
  return at >= (kept.at(-fuller) ?? 0) && fuller > 0 ? fullerThan[decisions] : decisions;
}

/** Nothing gives way. */
export function isCalm({ outputs }: CompressionLevel): boolean {
  return outputs.whole === Infinity;
}

function isAmong(places: readonly number[], count: number, at: number): boolean {
  const place = places.indexOf(at);
  return place >= 0 && place < count;
}

/** The place of the first entry that is near enough for a line. */
function reach({ distances, count }: Placed, { line }: Windows): number {
  return firstPlace(count, (at) => valueAt(distances, at) < line);
}

function isAnyFar({ places }: TimelineIndex, of: EntryClass, reached: number): boolean {
  const [first] = places[of];
  return first !== undefined && first < reached;
}

/** The version of the first entry of a class that is near; behind all entries of all classes where none is. */
function nearest(placed: Placed, of: EntryClass, reached: number): number {
  const { index, count } = placed;
  const places = index.places[of];
  const place = firstPlace(places.length, (at) => (places[at] ?? Infinity) >= reached);
  const at = places[place];
  if (at !== undefined && at < count) return index.entries[at]?.version ?? 1;
  return newestVersion(placed) + 1;
}

/** By halves: the first of `count` places of which something is true, as it is of all behind it. */
export function firstPlace(count: number, isTrue: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function range(from: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - from) }, (_, offset) => from + offset);
}
