import { linesBeyond, startOfLine } from '../digests/index.js';
import { type Entry } from '../entries/entry.js';
import { codeSpan, quoted } from '../entries/shown-text.js';
import { type Pieces } from './pieces.js';
import { type Segment, unitsIn } from './segment.js';

const charactersInUnit = 3;
/** Fewer units than that say next to nothing beside their heading. */
const leastUnits = 48;
const tries = 3;
/** Entries of which no line fits: the others have none either, mostly. */
const mostInVain = 8;

/** Lines of shortened entries that nothing of the text shows, the newest entries first, within the units. */
export function furtherLines(
  shown: readonly Segment[],
  shortened: readonly Entry[],
  { pieces, units }: Readonly<{ pieces: Pieces; units: number }>,
): readonly Segment[] {
  const starts = new Set(shown.flatMap(({ text }) => text.split('\n').map(startOfLine)));
  const segments: Segment[] = [];
  let tried = 0;
  for (const entry of shortened.toReversed()) {
    const left = units - unitsIn(segments);
    if (left < leastUnits || tried - segments.length >= mostInVain) break;
    const segment = linesOf(entry, starts, { pieces, units: left });
    if (segment) segments.push(segment);
    tried++;
  }
  return segments.reverse();
}

function linesOf(
  entry: Entry,
  starts: ReadonlySet<string>,
  { pieces, units }: Readonly<{ pieces: Pieces; units: number }>,
): Segment | undefined {
  let room = Math.floor(units * charactersInUnit);
  for (let left = tries; left > 0; left--) {
    const lines = linesBeyond(entry.reading, starts, room);
    if (lines === '') return undefined;
    const segment = pieces.segment(`- more of ${codeSpan(entry.ref)}:\n${quoted(lines)}`, null);
    if (segment.units <= units) return segment;
    room = Math.floor((room * units * 0.95) / segment.units);
  }
  return undefined;
}
