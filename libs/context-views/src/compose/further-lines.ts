import {
  type LineRank,
  furtherRanks,
  linesBeyond,
  resultRanks,
  startOfLine,
} from '../digests/index.js';
import { type Entry } from '../entries/entry.js';
import { codeSpan, quoted } from '../entries/quoted-text.js';
import { type Segment, unitsIn } from '../segments/segment.js';
import { type SegmentFactory } from './segment-factory.js';

const charactersInUnit = 3;
/** A segment of fewer units would show little more than its heading. */
const minUnits = 48;
const tries = 4;
/** A segment that takes a smaller share of its units may hold more lines. */
const fullShare = 0.75;
/** Stops after so many entries without a fitting line: the others mostly have none either. */
const maxMisses = 8;

/** Segments with further lines of entries. */
type FurtherLines = ReadonlyMap<Entry, Segment>;

type Room = Readonly<{ factory: SegmentFactory; units: number }>;
type LineSelection = Readonly<{
  isShown: (line: string, rank: LineRank) => boolean;
  ranks: readonly LineRank[];
}>;

/** Outcomes and open points of the newest shortened entries that their own text does not show. */
export function resultsOf(
  shown: readonly Segment[],
  shortened: readonly Entry[],
  room: Room,
): FurtherLines {
  const own = textByRef(shown);
  const linesFor = (entry: Entry): LineSelection => ({
    isShown: (line) => own.get(entry.ref)?.includes(line) ?? false,
    ranks: resultRanks,
  });
  return collected(shortened.filter(hasResults), linesFor, { ...room, before: new Map() });
}

/** As {@link resultsOf}, with other lines that no text shows. The result includes `results`. */
export function furtherLines(
  shown: readonly Segment[],
  shortened: readonly Entry[],
  { results, ...room }: Room & Readonly<{ results: FurtherLines }>,
): FurtherLines {
  const own = textByRef(shown);
  const starts = new Set(shown.flatMap(({ text }) => text.split('\n').map(startOfLine)));
  const linesFor = (entry: Entry): LineSelection => ({
    isShown: (line, rank) =>
      (own.get(entry.ref)?.includes(line) ?? false) ||
      (!resultRanks.includes(rank) && starts.has(startOfLine(line))),
    ranks: [...resultRanks, ...furtherRanks],
  });
  return collected(shortened, linesFor, { ...room, before: results });
}

function textByRef(shown: readonly Segment[]): ReadonlyMap<string, string> {
  return new Map(shown.flatMap(({ ref, text }) => (ref === null ? [] : [[ref, text] as const])));
}

function hasResults({ reading }: Entry): boolean {
  return resultRanks.some((rank) => reading.ranks.of(rank).length > 0);
}

/** Segments for the newest entries first, within the units. They replace the segments in `before`. */
function collected(
  entries: readonly Entry[],
  linesFor: (entry: Entry) => LineSelection,
  { factory, units, before }: Room & Readonly<{ before: FurtherLines }>,
): FurtherLines {
  const segments = new Map(before);
  let left = units - unitsIn([...before.values()]);
  let misses = 0;
  for (const entry of entries.toReversed()) {
    if (left < minUnits || misses >= maxMisses) break;
    const known = before.get(entry)?.units ?? 0;
    const segment = linesOf(entry, linesFor(entry), { factory, units: left + known });
    if (!segment || segment.units <= known) {
      misses++;
      continue;
    }
    segments.set(entry, segment);
    left += known - segment.units;
  }
  return segments;
}

/** The segment that uses most of the units; undefined if no line fits. */
function linesOf(
  entry: Entry,
  lines: LineSelection,
  { factory, units }: Room,
): Segment | undefined {
  let best: Segment | undefined;
  for (const segment of attempts(entry, lines, { factory, units })) {
    if (segment.units > units) continue;
    if (segment.units > (best?.units ?? 0)) best = segment;
    if (segment.units >= units * fullShare) break;
  }
  return best;
}

/** Segments of varying length: longer if the last one took fewer units than allowed, shorter if it took more. */
function* attempts(
  entry: Entry,
  lines: LineSelection,
  { factory, units }: Room,
): Generator<Segment> {
  let room = Math.floor(units * charactersInUnit);
  let last = '';
  for (let left = tries; left > 0; left--) {
    const text = linesBeyond(entry.reading, { ...lines, room });
    if (text === last) return;
    last = text;
    const segment = factory.segment(`- more of ${codeSpan(entry.ref)}:\n${quoted(text)}`, null);
    yield segment;
    room = Math.floor((room * units * 0.95) / segment.units);
  }
}
