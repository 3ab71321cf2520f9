import { type Entry } from '../entries/entry.js';
import { rollupRef } from '../entries/item-ref.js';
import { newestOf } from '../entries/current-state-section.js';
import { allTallies } from '../segments/group-tally.js';
import { type Segment, unitsIn } from '../segments/segment.js';
import { entryClasses } from './group-tallies.js';
import { type ViewSource } from './layout.js';
import { type SegmentFactory } from './segment-factory.js';
import { noRoom } from './recent-segments.js';
import { briefSegment } from './current-state-segments.js';
import { type PlacedTimeline } from './timeline.js';
import { groupSize, groupStart, groupsBefore } from './version-groups.js';

const charactersInUnit = 3;
const minUnits = 40;
const tries = 4;

/** All protected parts, and one reference to everything else if there is anything: `restAt` is its index. */
type PinnedView = Readonly<{ segments: readonly Segment[]; restAt: number | undefined }>;

type PinnedViewOptions = Readonly<{ placed: PlacedTimeline; factory: SegmentFactory }>;

/** Pinned entries and parts in their shortest forms; undefined if these take more than `limit` units. */
export function pinnedView(
  source: ViewSource,
  making: PinnedViewOptions,
  limit: number,
): PinnedView | undefined {
  const { factory } = making;
  const segments = [factory.segment(source.header, null)];
  const restAt = hasOthers(source) ? segments.length : undefined;
  if (restAt !== undefined) segments.push(restSegment(source, factory));
  let left = limit - unitsIn(segments);
  for (const segment of pinnedSegments(source, making)) {
    left -= segment.units;
    if (left < 0) return undefined;
    segments.push(segment);
  }
  return left < 0 ? undefined : { segments, restAt };
}

/**
 * Whether pinned entries and parts may fit at any compression level. A text of fewer characters sometimes has a token
 * more, so the whole form is tried too. Stops counting at `limit`.
 */
export function mayPinnedFit(
  source: ViewSource,
  { placed, factory }: PinnedViewOptions,
  limit: number,
): boolean {
  let left = limit - factory.units(source.header);
  const take = ({ units }: Segment) => (left -= units) >= 0;
  return (
    (source.omissions ?? []).every((part) => take(briefSegment(part, factory))) &&
    source.currentState.every((part) => !part.pinned || take(briefSegment(part, factory))) &&
    keptEntries(source).every((entry) => {
      const segment = shortestSegment(entry, { placed, factory });
      if (segment.units <= left || placed.shortened?.has(entry)) return take(segment);
      return take(factory.entry(entry, 'whole', noRoom));
    })
  );
}

/** Replaces the reference to everything else with a roll-up of as much of it as the remaining units hold. */
export function withRest(
  { segments, restAt }: PinnedView,
  source: ViewSource,
  { factory, limit }: Readonly<{ factory: SegmentFactory; limit: number }>,
): readonly Segment[] {
  if (restAt === undefined) return segments;
  const units = limit - unitsIn(segments.toSpliced(restAt, 1));
  const rollup = units < minUnits ? undefined : restRollup(source, factory, units);
  const { covers = 0 } = segments[restAt] ?? {};
  return rollup ? segments.with(restAt, { ...rollup, covers }) : segments;
}

function restRollup(
  source: ViewSource,
  factory: SegmentFactory,
  units: number,
): Segment | undefined {
  const newest = newestVersion(source);
  const groups = groupsBefore(groupStart(newest) + groupSize);
  const tally = allTallies(groups.map((each) => source.timeline.tally(each, entryClasses)));
  if (!tally) return undefined;
  let room = Math.floor(units * charactersInUnit);
  for (let again = tries; again > 0; again--) {
    const segment = factory.rollup({ from: 1, to: newest }, tally, room);
    if (segment.units <= units) return segment;
    room = Math.floor((room * units * 0.95) / segment.units);
  }
  return undefined;
}

/** The newest version in a source. */
export function newestVersion({ timeline, currentState }: ViewSource): number {
  return Math.max(timeline.entries.at(-1)?.version ?? 1, newestOf(currentState));
}

/** Whether there is anything that may be dropped. */
export function hasOthers({ timeline, currentState }: ViewSource): boolean {
  const { entries, places } = timeline;
  return entries.length > places.pinned.length || currentState.some(({ pinned }) => !pinned);
}

function* pinnedSegments(source: ViewSource, making: PinnedViewOptions): Generator<Segment> {
  for (const part of source.omissions ?? []) yield briefSegment(part, making.factory);
  for (const entry of keptEntries(source)) yield shortestSegment(entry, making);
  for (const part of source.currentState) if (part.pinned) yield briefSegment(part, making.factory);
}

function keptEntries({ timeline: { entries, places } }: ViewSource): readonly Entry[] {
  return places.pinned.flatMap((at) => entries[at] ?? []);
}

function shortestSegment(entry: Entry, { placed, factory }: PinnedViewOptions): Segment {
  const shape = placed.shortened?.get(entry);
  if (shape) return factory.entry(entry, shape.form, shape.room);
  return factory.entry(entry, entry.kind === 'decision' ? 'bare' : 'whole', noRoom);
}

function restSegment(source: ViewSource, factory: SegmentFactory): Segment {
  const ref = rollupRef(1, newestVersion(source));
  const covers = source.timeline.size;
  return { ...factory.segment(`- everything else: ${ref}\n`, ref), form: 'rollup', covers };
}
