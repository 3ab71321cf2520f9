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
  type Placed,
  type Timeline,
  entryAt,
  firstPlace,
  formOf,
  formTimeline,
  isCalm,
} from './timeline.js';
import { type TimelineIndex } from './timeline-index.js';
import { type VersionGroup, groupSize, isAligned } from './version-groups.js';

/** What a view is made of. */
export type ViewSource = Readonly<{
  header: string;
  timeline: TimelineIndex;
  currentState: readonly CurrentStateSection[];
  /** Told in place of the roll-ups of the versions it covers. */
  summary?: ViewSummary | undefined;
  /** Lines behind the header, each for pinned entries or parts that are not shown by themselves. */
  omissions?: readonly CurrentStateSection[] | undefined;
}>;

/** What takes more of the budget is shortened however new it is, unless everything fits. */
const largePart = 0.5;

/** How many entries the newest outputs keep from being settled. */
const maxHeld = 16;

type Placing = Readonly<{ maxTokens: number; newest: number }>;

/** How far behind each entry lies. */
export function placeEntries(
  index: TimelineIndex,
  { maxTokens, newest }: Placing,
  { shortened, hidesPast }: Pick<Placed, 'shortened' | 'hidesPast'> = {},
): Placed {
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

/** Without what came since the last quantum was full. */
export function settledOnly(placed: Placed): Placed {
  return { ...placed, count: placed.settled, newest: [] };
}

/**
 * A version is settled as a whole, and none of the newest outputs is, unless very much else came behind them: `held` is the place of the
 * oldest of these.
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

type Layout = Readonly<{
  factory: SegmentFactory;
  compression: CompressionLevel;
  most: number;
  /** Told behind what is settled. */
  mentions?: Segment | undefined;
  /** Entries that are not settled; left out, the pressure says their forms. */
  recent?: RecentSegments | undefined;
  /** Whether what is left of the budget is filled with facts and lines of what is shortened. */
  closing?: boolean | undefined;
}>;

/** The pieces of a view under a pressure, in their order; undefined if they take more than `most` units. */
export function layOut(
  source: Omit<ViewSource, 'timeline'>,
  placed: Placed,
  { factory, compression, most, mentions, closing, recent }: Layout,
): readonly Segment[] | undefined {
  const head = [
    factory.segment(source.header, null),
    ...(source.omissions ?? []).map((part) => briefSegment(part, factory)),
  ];
  let left = most - unitsIn(head);
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
  const told = [...head, ...segments.reverse()];
  if (!closing) return [...told, ...currentState];
  const filling = { factory, units: left, rolled: rolledUp(placed, timeline) };
  return [
    ...told,
    ...closingSegments([...told, ...currentState], placed, filling),
    ...currentState,
  ];
}

function rolledUp(placed: Placed, timeline: Timeline): readonly Tally[] {
  return timeline.groups.flatMap((group) => tallyOf(placed, group, timeline)?.tally ?? []);
}

function tallyOf(
  { index }: Placed,
  group: VersionGroup,
  { classes, count: before }: Timeline,
): GroupTally | undefined {
  return isAligned(group)
    ? index.tally(group, classes)
    : index.partialTally(group, { classes, before });
}

type Making = Omit<Layout, 'most'> & Pick<ViewSource, 'summary'>;

/** One after the other, so that what is too much is not made. */
function* newestFirst(placed: Placed, timeline: Timeline, making: Making): Generator<Segment> {
  const { settled } = placed;
  const recent = making.recent
    ? [...making.recent.keys()]
    : timeline.single.filter((at) => at >= settled);
  for (const at of recent.toReversed()) yield entrySegment(placed, at, making);
  if (making.mentions) yield making.mentions;
  const old = timeline.single.filter((at) => at < settled);
  yield* settledNewestFirst(placed, { timeline, old }, making);
}

type Settled = Readonly<{ timeline: Timeline; old: readonly number[] }>;

/** The entry that says what the work is about precedes all groups. */
function* settledNewestFirst(
  placed: Placed,
  { timeline, old }: Settled,
  making: Making,
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

function countNewer(groups: readonly VersionGroup[], placed: Placed, at: number): number {
  const version = Math.max(entryAt(placed, at).version, 1);
  return groups.filter((group) => lastOf(group) > version).length;
}

/** Groups that will grow come first, followed by the entries of their versions that are shown by themselves. */
function lastOf({ from, to }: VersionGroup): number {
  return to % groupSize === 0 ? to : from;
}

function coveredBy(placed: Placed, group: VersionGroup, timeline: Timeline): number {
  return tallyOf(placed, group, timeline)?.covers ?? 0;
}

function entrySegment(
  placed: Placed,
  at: number,
  { factory, compression, recent }: Making,
): Segment {
  const entry = entryAt(placed, at);
  const known = recent?.get(at);
  if (known) return known;
  const shape = placed.shortened?.get(entry);
  if (shape) return factory.entry(entry, shape.form, shape.room);
  return at === placed.opening && !isCalm(compression)
    ? openingSegment(entry, placed.maxTokens, factory)
    : factory.entry(entry, formOf(placed, at, compression), compression.room);
}

function* rollupSegment(
  placed: Placed,
  timeline: Timeline,
  { group, factory, compression }: Making & Readonly<{ group: VersionGroup }>,
): Generator<Segment> {
  const tally = tallyOf(placed, group, timeline);
  if (tally) yield factory.rollup(group, tally, compression.rollupRoom);
}
