import { type Entry, type EntryForm } from '../entries/entry.js';
import { type DigestRoom } from '../entries/entry-text.js';
import { type CompressionLevel, type Windows } from './compression-level.js';
import { type EntryClass } from './group-tallies.js';
import { type TimelineIndex, classOf } from './timeline-index.js';
import { type VersionGroup, groupStart, groupsBefore } from './version-groups.js';

/** A timeline with the distances of its entries, under a budget. */
export type PlacedTimeline = Readonly<{
  index: TimelineIndex;
  /** How many entries are considered, from the oldest on. */
  count: number;
  /** How many entries are settled, from the oldest on; see `distancesOf`. */
  settled: number;
  /** The distance of each entry, in estimated tokens, by its index; negative for entries that are not settled. */
  distances: Float64Array;
  /** Indexes of the newest outputs, the newest first. */
  newest: readonly number[];
  /** Estimated tokens above which an entry is whole only among the newest outputs. */
  largest: number;
  /** The index of the entry that states the task. It is shown before roll-ups. */
  opening: number | undefined;
  maxTokens: number;
  /** Pinned entries whose forms do not depend on the compression level. */
  shortened?: ReadonlyMap<Entry, ShortForm> | undefined;
  /** Whether decisions that are no longer in force have no separate line. */
  hidesPast?: boolean | undefined;
}>;

export type ShortForm = Readonly<{ form: 'digest' | 'line'; room: DigestRoom }>;

/** Entries that are shown individually, and the groups of versions in which others are rolled up. */
export type Timeline = Readonly<{
  /** Indexes of the entries that are shown individually, oldest first. */
  single: readonly number[];
  groups: readonly VersionGroup[];
  /** The classes of entries that are rolled up. */
  classes: readonly EntryClass[];
  /** The number of entries, from the oldest on, that this timeline shows or rolls up. */
  count: number;
}>;

/** Splits entries into individually shown and rolled-up ones. Takes time in proportion to the shown entries. */
export function formTimeline(placed: PlacedTimeline, compression: CompressionLevel): Timeline {
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

function neverRolledUp(placed: PlacedTimeline, compression: CompressionLevel): readonly number[] {
  const { index, opening, newest } = placed;
  const first =
    opening === undefined || isOpeningRolledUp(placed, opening, compression) ? [] : [opening];
  return [...index.places.pinned, ...first, ...newest.slice(0, compression.newest)];
}

/** An output that is merely the first one states the task less clearly than an input or a person. */
function isOpeningRolledUp(
  placed: PlacedTimeline,
  opening: number,
  compression: CompressionLevel,
): boolean {
  const { pinned, isByPerson } = entryAt(placed, opening);
  return compression.rollsUpFirst && !pinned && !isByPerson;
}

function shownOf(placed: PlacedTimeline, places: readonly number[]): readonly number[] {
  return placed.hidesPast ? places.filter((at) => !entryAt(placed, at).isPast) : places;
}

/**
 * In the group that is not full, decisions that are no longer in force are references before they are part of a
 * roll-up.
 */
function pastSince(
  { index }: PlacedTimeline,
  version: number,
  { partial }: CompressionLevel,
): readonly number[] {
  if (partial !== 'but-past') return [];
  const from = index.placeOf(version);
  return index.places.others.filter((at) => at >= from && index.entries[at]?.isPast);
}

function newestVersion({ index, count }: PlacedTimeline): number {
  return index.entries[count - 1]?.version ?? 0;
}

/** The form of an individually shown entry. */
export function formOf(
  placed: PlacedTimeline,
  at: number,
  compression: CompressionLevel,
): EntryForm {
  const entry = entryAt(placed, at);
  if (entry.pinned) return pinnedForm(placed, at, compression);
  if (entry.isPast && compression.past === 'line') return 'line';
  if (isUncompressed(compression) || isAmong(placed.newest, compression.newest, at)) return 'whole';
  if (at >= placed.settled) return recentForm(placed, at, compression);
  return byDistance(
    placed,
    at,
    classOf(entry) === 'outputs' ? compression.outputs : compression.history,
  );
}

export function entryAt({ index }: PlacedTimeline, at: number): Entry {
  const entry = index.entries[at];
  if (!entry) throw new RangeError(`there is no entry ${at}`);
  return entry;
}

function recentForm(placed: PlacedTimeline, at: number, { recent }: CompressionLevel): EntryForm {
  return shorterIf(isLarge(placed, at), recent);
}

function isLarge({ index, largest }: PlacedTimeline, at: number): boolean {
  return valueAt(index.sizes, at) > largest;
}

function shorterIf(isTooLarge: boolean, form: EntryForm): EntryForm {
  return isTooLarge && form === 'whole' ? 'digest' : form;
}

function byDistance(placed: PlacedTimeline, at: number, { whole, digest }: Windows): EntryForm {
  const distance = valueAt(placed.distances, at);
  if (distance < whole) return shorterIf(whole < Infinity && isLarge(placed, at), 'whole');
  return distance < digest ? 'digest' : 'line';
}

function valueAt(values: Float64Array, at: number): number {
  return values[at] ?? 0;
}

const fullerThan = { whole: 'whole', brief: 'whole', bare: 'brief' } as const;

function pinnedForm(placed: PlacedTimeline, at: number, compression: CompressionLevel): EntryForm {
  const { kind } = entryAt(placed, at);
  if (kind !== 'decision') return 'whole';
  const { decisions, fuller } = compression;
  const { pinned } = placed.index.places;
  return at >= (pinned.at(-fuller) ?? 0) && fuller > 0 ? fullerThan[decisions] : decisions;
}

/** Whether the level shortens nothing. */
export function isUncompressed({ outputs }: CompressionLevel): boolean {
  return outputs.whole === Infinity;
}

function isAmong(places: readonly number[], count: number, at: number): boolean {
  const place = places.indexOf(at);
  return place >= 0 && place < count;
}

/** The index of the first entry that is near enough for a line. */
function reach({ distances, count }: PlacedTimeline, { line }: Windows): number {
  return firstPlace(count, (at) => valueAt(distances, at) < line);
}

function isAnyFar({ places }: TimelineIndex, of: EntryClass, reached: number): boolean {
  const [first] = places[of];
  return first !== undefined && first < reached;
}

/** The version of the first near entry of a class; a version after all entries if none is near. */
function nearest(placed: PlacedTimeline, of: EntryClass, reached: number): number {
  const { index, count } = placed;
  const places = index.places[of];
  const place = firstPlace(places.length, (at) => (places[at] ?? Infinity) >= reached);
  const at = places[place];
  if (at !== undefined && at < count) return index.entries[at]?.version ?? 1;
  return newestVersion(placed) + 1;
}

/** Binary search for the first of `count` indexes that meets a condition which all later ones meet too. */
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
