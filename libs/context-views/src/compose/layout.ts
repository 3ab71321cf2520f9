import { type Tally } from '../digests/index.js';
import { type CurrentStateSection } from '../entries/current-state-section.js';
import { type ViewSummary } from '../entries/view-summary.js';
import { type GroupTally } from '../segments/group-tally.js';
import { type Segment, unitsIn } from '../segments/segment.js';
import { closingSegments } from './closing-segments.js';
import { distancesOf } from './distances.js';
import { type SegmentFactory } from './segment-factory.js';
import { type CompressionLevel } from './compression-level.js';
import { type RecentSegments, openingSegment } from './recent-segments.js';
import { briefSegment, currentStateSegments } from './current-state-segments.js';
import {
  type PlacedTimeline,
  type Timeline,
  entryAt,
  firstPlace,
  formOf,
  formTimeline,
  isUncompressed,
} from './timeline.js';
import { type TimelineIndex } from './timeline-index.js';
import { type VersionGroup, groupSize, isAligned } from './version-groups.js';

/** The content of a view. */
export type ViewSource = Readonly<{
  header: string;
  timeline: TimelineIndex;
  currentState: readonly CurrentStateSection[];
  /** Shown instead of the roll-ups of the versions that it covers. */
  summary?: ViewSummary | undefined;
  /** Lines after the header, each for pinned entries or parts that are not shown individually. */
  omissions?: readonly CurrentStateSection[] | undefined;
}>;

/** The share of the budget above which an entry is shortened even if it is new, unless everything fits. */
const largePart = 0.5;

/** How many entries the newest outputs can keep from being settled. */
const maxHeld = 16;

type PlacementOptions = Readonly<{ maxTokens: number; newest: number }>;

/** Computes the distances of the entries under a budget. */
export function placeEntries(
  index: TimelineIndex,
  { maxTokens, newest }: PlacementOptions,
  { shortened, hidesPast }: Pick<PlacedTimeline, 'shortened' | 'hidesPast'> = {},
): PlacedTimeline {
  const distances = distancesOf(index.sizes, { maxTokens, newest });
  const newestPlaces = newestOutputs(index, newest);
  const settled = settledCount(index, distances, newestPlaces.at(-1));
  return {
    index,
    distances,
    settled,
    count: index.entries.length,
    largest: maxTokens * largePart,
    newest: newestPlaces,
    opening: index.opening,
    maxTokens,
    shortened,
    hidesPast,
  };
}

/** The timeline without entries that are not settled. */
export function settledOnly(placed: PlacedTimeline): PlacedTimeline {
  return { ...placed, count: placed.settled, newest: [] };
}

/**
 * The number of settled entries. The entries of a version are settled together. The newest outputs are not settled
 * unless very many other entries follow them; `held` is the index of the oldest of these outputs.
 */
function settledCount(
  { entries }: TimelineIndex,
  distances: Float64Array,
  held = Infinity,
): number {
  const far = firstPlace(distances.length, (at) => (distances[at] ?? 0) < 0);
  let count = Math.min(far, Math.max(held, far - maxHeld));
  while (count > 0 && entries[count]?.version === entries[count - 1]?.version) count--;
  return count;
}

function newestOutputs(
  { entries, places: { outputs } }: TimelineIndex,
  count: number,
): readonly number[] {
  const found: number[] = [];
  for (let place = outputs.length - 1; place >= 0 && found.length < count; place--) {
    const at = outputs[place] ?? 0;
    if (entries[at]?.section === 'outputs') found.push(at);
  }
  return found;
}

type LayoutOptions = Readonly<{
  factory: SegmentFactory;
  compression: CompressionLevel;
  limit: number;
  /** Shown after the settled entries. */
  mentions?: Segment | undefined;
  /** Segments of entries that are not settled; if absent, the compression level determines their forms. */
  recent?: RecentSegments | undefined;
  /** Whether the remaining budget is filled with facts and lines of shortened entries. */
  closing?: boolean | undefined;
}>;

/** The segments of a view at a compression level, in their order; undefined if they take more than `limit` units. */
export function layOut(
  source: Omit<ViewSource, 'timeline'>,
  placed: PlacedTimeline,
  { factory, compression, limit, mentions, closing, recent }: LayoutOptions,
): readonly Segment[] | undefined {
  const head = [
    factory.segment(source.header, null),
    ...(source.omissions ?? []).map((part) => briefSegment(part, factory)),
  ];
  let left = limit - unitsIn(head);
  const timeline = formTimeline(recent ? settledOnly(placed) : placed, compression);
  const currentState = currentStateSegments(
    source.currentState,
    compression.currentState,
    factory,
    left,
  );
  if (!currentState) return undefined;
  left -= unitsIn(currentState);
  const segments: Segment[] = [];
  const making = { factory, compression, mentions, recent, summary: source.summary };
  for (const segment of newestFirst(placed, timeline, making)) {
    left -= segment.units;
    if (left < 0) return undefined;
    segments.push(segment);
  }
  if (left < 0) return undefined;
  const timelineSegments = [...head, ...segments.reverse()];
  if (!closing) return [...timelineSegments, ...currentState];
  const filling = { factory, units: left, rolled: rolledUp(placed, timeline) };
  return [
    ...timelineSegments,
    ...closingSegments([...timelineSegments, ...currentState], placed, filling),
    ...currentState,
  ];
}

function rolledUp(placed: PlacedTimeline, timeline: Timeline): readonly Tally[] {
  return timeline.groups.flatMap((group) => tallyOf(placed, group, timeline)?.tally ?? []);
}

function tallyOf(
  { index }: PlacedTimeline,
  group: VersionGroup,
  { classes, count: before }: Timeline,
): GroupTally | undefined {
  return isAligned(group)
    ? index.tally(group, classes)
    : index.partialTally(group, { classes, before });
}

type SegmentOptions = Omit<LayoutOptions, 'limit'> & Pick<ViewSource, 'summary'>;

/** Yields one segment after the other, so that the caller can stop when the budget is exceeded. */
function* newestFirst(
  placed: PlacedTimeline,
  timeline: Timeline,
  making: SegmentOptions,
): Generator<Segment> {
  const { settled } = placed;
  const recent = making.recent
    ? [...making.recent.keys()]
    : timeline.single.filter((at) => at >= settled);
  for (const at of recent.toReversed()) yield entrySegment(placed, at, making);
  if (making.mentions) yield making.mentions;
  const old = timeline.single.filter((at) => at < settled);
  yield* settledNewestFirst(placed, { timeline, old }, making);
}

type SettledTimeline = Readonly<{ timeline: Timeline; old: readonly number[] }>;

/** The opening entry, which states the task, precedes all groups. */
function* settledNewestFirst(
  placed: PlacedTimeline,
  { timeline, old }: SettledTimeline,
  making: SegmentOptions,
): Generator<Segment> {
  const { summary, factory } = making;
  const groups = timeline.groups.filter(({ to }) => to > (summary?.to ?? 0)).reverse();
  const summed = timeline.groups.filter(({ to }) => to <= (summary?.to ?? 0));
  for (const at of old.toReversed()) {
    const newer = at === placed.opening ? groups.length : countNewer(groups, placed, at);
    for (const group of groups.splice(0, newer))
      yield* rollupSegment(placed, timeline, { group, ...making });
    yield entrySegment(placed, at, making);
  }
  for (const group of groups) yield* rollupSegment(placed, timeline, { group, ...making });
  if (!summary || summed.length === 0) return;
  const covers = summed.reduce((sum, group) => sum + coveredBy(placed, group, timeline), 0);
  yield { ...factory.segment(summary.text, summary.ref), form: 'rollup', covers };
}

function countNewer(groups: readonly VersionGroup[], placed: PlacedTimeline, at: number): number {
  const version = Math.max(entryAt(placed, at).version, 1);
  return groups.filter((group) => lastOf(group) > version).length;
}

/** A group that later versions will join comes first, followed by the individually shown entries of its versions. */
function lastOf({ from, to }: VersionGroup): number {
  return to % groupSize === 0 ? to : from;
}

function coveredBy(placed: PlacedTimeline, group: VersionGroup, timeline: Timeline): number {
  return tallyOf(placed, group, timeline)?.covers ?? 0;
}

function entrySegment(
  placed: PlacedTimeline,
  at: number,
  { factory, compression, recent }: SegmentOptions,
): Segment {
  const entry = entryAt(placed, at);
  const known = recent?.get(at);
  if (known) return known;
  const shape = placed.shortened?.get(entry);
  if (shape) return factory.entry(entry, shape.form, shape.room);
  return at === placed.opening && !isUncompressed(compression)
    ? openingSegment(entry, placed.maxTokens, factory)
    : factory.entry(entry, formOf(placed, at, compression), compression.room);
}

function* rollupSegment(
  placed: PlacedTimeline,
  timeline: Timeline,
  { group, factory, compression }: SegmentOptions & Readonly<{ group: VersionGroup }>,
): Generator<Segment> {
  const tally = tallyOf(placed, group, timeline);
  if (tally) yield factory.rollup(group, tally, compression.rollupRoom);
}
