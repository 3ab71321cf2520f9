import { type Entry } from '../entries/entry.js';
import { rollupRef } from '../entries/item-ref.js';
import { quoted } from '../entries/shown-text.js';
import { type StandingPart } from '../entries/standing-part.js';
import { rollupOf } from '../digests/index.js';
import { distancesOf } from './distances.js';
import { type Pieces } from './pieces.js';
import { type Pressure } from './pressure.js';
import { type Segment } from './segment.js';
import { standingSegments } from './standing-segments.js';
import { type Formed, type Placed, formTimeline } from './timeline.js';

/** What a view is made of; `entries` oldest first. */
export type ViewSource = Readonly<{
  header: string;
  entries: readonly Entry[];
  standing: readonly StandingPart[];
}>;

/** What takes more of the budget is whole only among the newest outputs. */
const largePart = 0.25;

/** How far behind each entry lies; the oldest first. */
export function placeEntries(
  entries: readonly Entry[],
  pieces: Pieces,
  maxTokens: number,
): readonly Placed[] {
  const sizes = entries.map((entry) => pieces.sizeOf(entry));
  const distances = distancesOf(sizes, maxTokens);
  let newer = 0;
  let newerSettled = 0;
  const placed: Placed[] = [];
  for (let at = entries.length - 1; at >= 0; at--) {
    const [entry, distance, size] = [entries[at], distances[at] ?? 0, sizes[at] ?? 0];
    if (!entry) continue;
    const isRecent = distance < 0;
    const isOutput = entry.section === 'outputs';
    placed.push({
      ...{ entry, distance, isRecent, isLarge: size > maxTokens * largePart },
      newer: isOutput ? newer++ : Infinity,
      newerSettled: isOutput && !isRecent ? newerSettled++ : Infinity,
    });
  }
  return placed.reverse();
}

/** The pieces of a view under a pressure, in their order. */
export function layOut(
  source: Omit<ViewSource, 'entries'>,
  placed: readonly Placed[],
  { pieces, pressure }: Readonly<{ pieces: Pieces; pressure: Pressure }>,
): readonly Segment[] {
  const timeline = formTimeline(placed, pressure);
  const told = [
    ...timeline.groups.map(({ from, to, entries }) => ({
      ...{ version: to, order: 0 },
      segment: () => rollupSegment(entries, { from, to }, { pieces, pressure }),
    })),
    ...timeline.single.map(({ entry, form }: Formed) => ({
      ...{ version: entry.version, order: 1 },
      segment: () => pieces.entry(entry, form, pressure.room),
    })),
  ].sort((left, right) => left.version - right.version || left.order - right.order);
  return [
    pieces.segment(source.header, null),
    ...told.map(({ segment }) => segment()),
    ...standingSegments(source.standing, pressure.standing, pieces),
  ];
}

function rollupSegment(
  entries: readonly Entry[],
  { from, to }: Readonly<{ from: number; to: number }>,
  { pieces, pressure }: Readonly<{ pieces: Pieces; pressure: Pressure }>,
): Segment {
  const tally = pieces.tally(entries);
  const ref = rollupRef(from, to);
  const text = `## v${from} to v${to} ${ref}, rolled up\n${quoted(rollupOf(tally, pressure.rollupRoom))}`;
  const covers = entries.reduce((sum, entry) => sum + pieces.sizeOf(entry), 0);
  return { ...pieces.segment(text, ref), form: 'rollup', covers };
}
