import { type Entry } from '../entries/entry.js';
import { rollupRef } from '../entries/item-ref.js';
import { newestOf } from '../entries/standing-part.js';
import { allTallies } from '../segments/group-tally.js';
import { type Segment, unitsIn } from '../segments/segment.js';
import { entryClasses } from './group-tallies.js';
import { type ViewSource } from './layout.js';
import { type Pieces } from './pieces.js';
import { noRoom } from './recent-segments.js';
import { briefSegment } from './standing-segments.js';
import { type Placed } from './timeline.js';
import { groupSize, groupStart, groupsBefore } from './version-groups.js';

const charactersInUnit = 3;
const leastUnits = 40;
const tries = 4;

/** What is never dropped, and one reference to everything else if there is anything: `restAt` is its place. */
type PinnedView = Readonly<{ segments: readonly Segment[]; restAt: number | undefined }>;

type Making = Readonly<{ placed: Placed; pieces: Pieces }>;

/** Pinned entries and parts in their shortest forms; undefined if that takes more than `most` units. */
export function pinnedView(
  source: ViewSource,
  making: Making,
  most: number,
): PinnedView | undefined {
  const { pieces } = making;
  const segments = [pieces.segment(source.header, null)];
  const restAt = hasOthers(source) ? segments.length : undefined;
  if (restAt !== undefined) segments.push(restSegment(source, pieces));
  let left = most - unitsIn(segments);
  for (const segment of pinnedSegments(source, making)) {
    left -= segment.units;
    if (left < 0) return undefined;
    segments.push(segment);
  }
  return left < 0 ? undefined : { segments, restAt };
}

/**
 * Whether pinned entries and parts may fit under any pressure: what is shorter in characters has, now and then, a token
 * more. Counts no further than to `most`.
 */
export function mayPinnedFit(
  source: ViewSource,
  { placed, pieces }: Making,
  most: number,
): boolean {
  let left = most - pieces.units(source.header);
  const take = ({ units }: Segment) => (left -= units) >= 0;
  return (
    (source.omissions ?? []).every((part) => take(briefSegment(part, pieces))) &&
    source.standing.every((part) => !part.pinned || take(briefSegment(part, pieces))) &&
    keptEntries(source).every((entry) => {
      const segment = shortestSegment(entry, { placed, pieces });
      if (segment.units <= left || placed.shortened?.has(entry)) return take(segment);
      return take(pieces.entry(entry, 'whole', noRoom));
    })
  );
}

/** With as much of what everything else tells together as the units that are left hold. */
export function withRest(
  { segments, restAt }: PinnedView,
  source: ViewSource,
  { pieces, most }: Readonly<{ pieces: Pieces; most: number }>,
): readonly Segment[] {
  if (restAt === undefined) return segments;
  const units = most - unitsIn(segments.toSpliced(restAt, 1));
  const told = units < leastUnits ? undefined : restRollup(source, pieces, units);
  const { covers = 0 } = segments[restAt] ?? {};
  return told ? segments.with(restAt, { ...told, covers }) : segments;
}

function restRollup(source: ViewSource, pieces: Pieces, units: number): Segment | undefined {
  const newest = newestVersion(source);
  const groups = groupsBefore(groupStart(newest) + groupSize);
  const tally = allTallies(groups.map((each) => source.timeline.tally(each, entryClasses)));
  if (!tally) return undefined;
  let room = Math.floor(units * charactersInUnit);
  for (let again = tries; again > 0; again--) {
    const segment = pieces.rollup({ from: 1, to: newest }, tally, room);
    if (segment.units <= units) return segment;
    room = Math.floor((room * units * 0.95) / segment.units);
  }
  return undefined;
}

/** Of what a source tells of. */
export function newestVersion({ timeline, standing }: ViewSource): number {
  return Math.max(timeline.entries.at(-1)?.version ?? 1, newestOf(standing));
}

/** Whether there is anything that may be dropped. */
export function hasOthers({ timeline, standing }: ViewSource): boolean {
  const { entries, places } = timeline;
  return entries.length > places.kept.length || standing.some(({ pinned }) => !pinned);
}

function* pinnedSegments(source: ViewSource, making: Making): Generator<Segment> {
  for (const part of source.omissions ?? []) yield briefSegment(part, making.pieces);
  for (const entry of keptEntries(source)) yield shortestSegment(entry, making);
  for (const part of source.standing) if (part.pinned) yield briefSegment(part, making.pieces);
}

function keptEntries({ timeline: { entries, places } }: ViewSource): readonly Entry[] {
  return places.kept.flatMap((at) => entries[at] ?? []);
}

function shortestSegment(entry: Entry, { placed, pieces }: Making): Segment {
  const shape = placed.shortened?.get(entry);
  if (shape) return pieces.entry(entry, shape.form, shape.room);
  return pieces.entry(entry, entry.kind === 'decision' ? 'bare' : 'whole', noRoom);
}

function restSegment(source: ViewSource, pieces: Pieces): Segment {
  const ref = rollupRef(1, newestVersion(source));
  const covers = source.timeline.size;
  return { ...pieces.segment(`- everything else: ${ref}\n`, ref), form: 'rollup', covers };
}
