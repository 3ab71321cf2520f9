import { type Tally } from '../digests/index.js';
import { type Segment, unitsIn } from '../segments/segment.js';
import { furtherLines, resultsOf } from './further-lines.js';
import { factsToList, mentionsSegment, shortenedEntries } from './mentions-segment.js';
import { type SegmentFactory } from './segment-factory.js';
import { type Placed } from './timeline.js';

/** What is left of a budget, and the tallies of the groups that are rolled up. */
type Filling = Readonly<{ factory: SegmentFactory; units: number; rolled: readonly Tally[] }>;

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
  { factory, units, rolled }: Filling,
): readonly Segment[] {
  const shortened = shortenedEntries(shown, placed);
  const facts = factsToList(shortened, rolled);
  const results = resultsOf(shown, shortened, { factory, units: units * resultsShare });
  const ends = [...results.values()];
  const forFacts = (units - unitsIn(ends)) * factsShare;
  const first = mentionsSegment([...shown, ...ends], { factory, units: forFacts, facts });
  const further = furtherLines(first ? [...shown, first] : shown, shortened, {
    factory,
    units: units - (first?.units ?? 0),
    results,
  });
  const lines = shortened.flatMap((entry) => further.get(entry) ?? []);
  // What lines do not take is for facts again.
  const all = mentionsSegment([...shown, ...lines], {
    factory,
    units: units - unitsIn(lines),
    facts,
  });
  return all ? [...lines, all] : lines;
}
