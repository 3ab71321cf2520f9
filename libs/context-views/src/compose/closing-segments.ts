import { type Tally, furtherRanks, resultRanks } from '../digests/index.js';
import { furtherLines } from './further-lines.js';
import { factsToList, mentionsSegment, shortenedEntries } from './mentions-segment.js';
import { type Pieces } from './pieces.js';
import { type Segment, unitsIn } from './segment.js';
import { type Placed } from './timeline.js';

/** What is left of a budget, and the tallies of the groups that are rolled up. */
type Filling = Readonly<{ pieces: Pieces; units: number; rolled: readonly Tally[] }>;

/** Of what is left, what results take before facts do, and facts before other lines. */
const resultsShare = 0.5;
const factsShare = 0.8;

/**
 * Fills what is left with what shortened and rolled-up entries have and nothing shows: how the newest entries ended and what they left open,
 * facts, and other lines.
 */
export function closingSegments(
  shown: readonly Segment[],
  placed: Placed,
  { pieces, units, rolled }: Filling,
): readonly Segment[] {
  const shortened = shortenedEntries(shown, placed);
  const facts = factsToList(shortened, rolled);
  const results = furtherLines(shown, shortened, {
    ...{ pieces, units: units * resultsShare, ranks: resultRanks },
  });
  const withResults = [...shown, ...results.values()];
  const left = units - unitsIn([...results.values()]);
  const first = mentionsSegment(withResults, { pieces, units: left * factsShare, facts });
  const others = furtherLines(
    first ? [...withResults, first] : withResults,
    shortened.filter((entry) => !results.has(entry)),
    { pieces, units: left - (first?.units ?? 0), ranks: furtherRanks },
  );
  const lines = shortened.flatMap((entry) => results.get(entry) ?? others.get(entry) ?? []);
  // What lines do not take is for facts again.
  const all = mentionsSegment([...shown, ...lines], {
    ...{ pieces, units: units - unitsIn(lines), facts },
  });
  return all ? [...lines, all] : lines;
}
