import { type Tally } from '../digests/index.js';
import { furtherLines } from './further-lines.js';
import { factsToList, mentionsSegment, shortenedEntries } from './mentions-segment.js';
import { type Pieces } from './pieces.js';
import { type Segment, unitsIn } from './segment.js';
import { type Placed } from './timeline.js';

/** What is left of a budget, and the tallies of the groups that are rolled up. */
type Filling = Readonly<{ pieces: Pieces; units: number; rolled: readonly Tally[] }>;

/** Of what is left, what facts take before lines do. */
const factsShare = 0.8;

/** Fills what is left with what shortened and rolled-up entries have and nothing shows: facts, and lines of the newest entries. */
export function closingSegments(
  shown: readonly Segment[],
  placed: Placed,
  { pieces, units, rolled }: Filling,
): readonly Segment[] {
  const shortened = shortenedEntries(shown, placed);
  const facts = factsToList(shortened, rolled);
  const first = mentionsSegment(shown, { pieces, units: units * factsShare, facts });
  const rest = units - (first?.units ?? 0);
  const lines = furtherLines(first ? [...shown, first] : shown, shortened, { pieces, units: rest });
  // What lines do not take is for facts again.
  const all = mentionsSegment([...shown, ...lines], {
    pieces,
    units: units - unitsIn(lines),
    facts,
  });
  return all ? [...lines, all] : lines;
}
