import { type LineRank, linesBeyond, startOfLine } from '../digests/index.js';
import { type Entry } from '../entries/entry.js';
import { codeSpan, quoted } from '../entries/shown-text.js';
import { type Pieces } from './pieces.js';
import { type Segment, unitsIn } from './segment.js';

const charactersInUnit = 3;
/** Between lines, and between the pieces of an entry in one line. */
const parts = /\n| · /;
/** Fewer units than that say next to nothing beside their heading. */
const leastUnits = 48;
const tries = 3;
/** Entries of which no line fits: the others have none either, mostly. */
const mostInVain = 8;

/** Segments with further lines of entries. */
export type FurtherLines = ReadonlyMap<Entry, Segment>;

export type FurtherRoom = Readonly<{
  pieces: Pieces;
  units: number;
  /** Of these lines, those of the first rank come first. */
  ranks: readonly LineRank[];
}>;

/** Lines of shortened entries that nothing of the text shows, of the newest entries first, within the units. */
export function furtherLines(
  shown: readonly Segment[],
  shortened: readonly Entry[],
  { units, ...room }: FurtherRoom,
): FurtherLines {
  const starts = new Set(shown.flatMap(({ text }) => text.split(parts).map(startOfLine)));
  const segments = new Map<Entry, Segment>();
  let tried = 0;
  for (const entry of shortened.toReversed()) {
    const left = units - unitsIn([...segments.values()]);
    if (left < leastUnits || tried - segments.size >= mostInVain) break;
    const segment = linesOf(entry, starts, { ...room, units: left });
    if (segment) segments.set(entry, segment);
    tried++;
  }
  return segments;
}

function linesOf(
  entry: Entry,
  shown: ReadonlySet<string>,
  { pieces, units, ranks }: FurtherRoom,
): Segment | undefined {
  let room = Math.floor(units * charactersInUnit);
  for (let left = tries; left > 0; left--) {
    const lines = linesBeyond(entry.reading, { shown, room, ranks });
    if (lines === '') return undefined;
    const segment = pieces.segment(`- more of ${codeSpan(entry.ref)}:\n${quoted(lines)}`, null);
    if (segment.units <= units) return segment;
    room = Math.floor((room * units * 0.95) / segment.units);
  }
  return undefined;
}
