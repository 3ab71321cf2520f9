import { type StandingPart } from '../entries/standing-part.js';
import { type ViewSummary } from '../entries/view-summary.js';
import { distancesOf } from './distances.js';
import { type Pieces } from './pieces.js';
import { type Pressure } from './pressure.js';
import { type Segment, unitsIn } from './segment.js';
import { briefSegment, standingSegments } from './standing-segments.js';
import {
  type Placed,
  type Timeline,
  entryAt,
  firstPlace,
  formOf,
  formTimeline,
} from './timeline.js';
import { type TimelineIndex } from './timeline-index.js';
import { type VersionGroup, groupSize } from './version-groups.js';

/** What a view is made of. */
export type ViewSource = Readonly<{
  header: string;
  timeline: TimelineIndex;
  standing: readonly StandingPart[];
  /** Told in place of the roll-ups of the versions it covers. */
  summary?: ViewSummary | undefined;
  /** Lines behind the header, each for pinned entries or parts that are not shown by themselves. */
  omissions?: readonly StandingPart[] | undefined;
}>;

/** What takes more of the budget is whole only among the newest outputs. */
const largePart = 0.25;

type Placing = Readonly<{ maxTokens: number; newest: number }>;

/** How far behind each entry lies. */
export function placeEntries(
  index: TimelineIndex,
  { maxTokens, newest }: Placing,
  { shortened, hidesPast }: Pick<Placed, 'shortened' | 'hidesPast'> = {},
): Placed {
  const distances = distancesOf(index.sizes, maxTokens);
  const settled = settledCount(index, distances);
  return {
    ...{ index, distances, settled, count: index.entries.length },
    largest: maxTokens * largePart,
    newest: newestOutputs(index, newest, index.entries.length),
    newestSettled: newestOutputs(index, newest, settled),
    ...{ shortened, hidesPast },
  };
}

/** Without what came since the last quantum was full. */
export function settledOnly(placed: Placed): Placed {
  return { ...placed, count: placed.settled, newest: [] };
}

/** A version is settled as a whole. */
function settledCount({ entries }: TimelineIndex, distances: Float64Array): number {
  let count = firstPlace(distances.length, (at) => (distances[at] ?? 0) < 0);
  while (count > 0 && entries[count]?.version === entries[count - 1]?.version) count--;
  return count;
}

function newestOutputs(
  { entries, places: { outputs } }: TimelineIndex,
  count: number,
  before: number,
): readonly number[] {
  const found: number[] = [];
  for (let place = outputs.length - 1; place >= 0 && found.length < count; place--) {
    const at = outputs[place] ?? 0;
    if (at < before && entries[at]?.section === 'outputs') found.push(at);
  }
  return found;
}

export type Layout = Readonly<{
  pieces: Pieces;
  pressure: Pressure;
  most: number;
  /** Told behind what is settled. */
  mentions?: Segment | undefined;
  /** Fills what is left of the budget. */
  closing?: ((told: readonly Segment[], units: number) => Segment | undefined) | undefined;
}>;

/** The pieces of a view under a pressure, in their order; undefined if they take more than `most` units. */
export function layOut(
  source: Omit<ViewSource, 'timeline'>,
  placed: Placed,
  { pieces, pressure, most, mentions, closing }: Layout,
): readonly Segment[] | undefined {
  const head = [
    pieces.segment(source.header, null),
    ...(source.omissions ?? []).map((part) => briefSegment(part, pieces)),
  ];
  let left = most - unitsIn(head);
  const standing = standingSegments(source.standing, pressure.standing, pieces, left);
  if (!standing) return undefined;
  left -= unitsIn(standing);
  const segments: Segment[] = [];
  for (const segment of newestFirst(placed, {
    pieces,
    pressure,
    mentions,
    summary: source.summary,
  })) {
    left -= segment.units;
    if (left < 0) return undefined;
    segments.push(segment);
  }
  if (left < 0) return undefined;
  const told = [...head, ...segments.reverse()];
  const last = closing?.([...told, ...standing], left);
  return [...told, ...(last ? [last] : []), ...standing];
}

type Making = Omit<Layout, 'most'> & Pick<ViewSource, 'summary'>;

/** The place before which nothing changes until the next quantum is full. */
function settledBefore({ settled, newestSettled }: Placed, { kept }: Pressure): number {
  return Math.min(settled, ...newestSettled.slice(0, kept));
}

/** One after the other, so that what is too much is not made. */
function* newestFirst(placed: Placed, making: Making): Generator<Segment> {
  const timeline = formTimeline(placed, making.pressure);
  const settled = settledBefore(placed, making.pressure);
  const recent = timeline.single.filter((at) => at >= settled);
  for (const at of recent.toReversed()) yield entrySegment(placed, at, making);
  if (making.mentions) yield making.mentions;
  const old = timeline.single.filter((at) => at < settled);
  yield* settledNewestFirst(placed, { timeline, old }, making);
}

type Settled = Readonly<{ timeline: Timeline; old: readonly number[] }>;

/** A group precedes the entries of its versions that are shown by themselves. */
function* settledNewestFirst(
  placed: Placed,
  { timeline, old }: Settled,
  making: Making,
): Generator<Segment> {
  const { summary, pieces } = making;
  const groups = timeline.groups.filter(({ to }) => to > (summary?.to ?? 0)).reverse();
  const summed = timeline.groups.filter(({ to }) => to <= (summary?.to ?? 0));
  for (const at of old.toReversed()) {
    const version = Math.max(entryAt(placed, at).version, 1);
    const newer = groups.filter((group) => lastOf(group) > version).length;
    for (const group of groups.splice(0, newer))
      yield* rollupSegment(placed.index, timeline, { group, ...making });
    yield entrySegment(placed, at, making);
  }
  for (const group of groups) yield* rollupSegment(placed.index, timeline, { group, ...making });
  if (!summary || summed.length === 0) return;
  const covers = summed.reduce((sum, group) => sum + coveredBy(placed, group, timeline), 0);
  yield { ...pieces.segment(summary.text, summary.ref), form: 'rollup', covers };
}

/** Groups that will grow come first, followed by the entries of their versions that are shown by themselves. */
function lastOf({ from, to }: VersionGroup): number {
  return to % groupSize === 0 ? to : from;
}

function coveredBy({ index }: Placed, group: VersionGroup, { classes }: Timeline): number {
  return index.tally(group, classes)?.covers ?? 0;
}

function entrySegment(placed: Placed, at: number, { pieces, pressure }: Making): Segment {
  const entry = entryAt(placed, at);
  const shape = placed.shortened?.get(entry);
  return shape
    ? pieces.entry(entry, shape.form, shape.room)
    : pieces.entry(entry, formOf(placed, at, pressure), pressure.room);
}

function* rollupSegment(
  index: TimelineIndex,
  { classes }: Timeline,
  { group, pieces, pressure }: Making & Readonly<{ group: VersionGroup }>,
): Generator<Segment> {
  const tally = index.tally(group, classes);
  if (tally) yield pieces.rollup(group, tally, pressure.rollupRoom);
}
