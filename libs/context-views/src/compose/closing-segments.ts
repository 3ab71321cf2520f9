import { type Tally } from '../digests/index.js';
import { type Segment, unitsIn } from '../segments/segment.js';
import { furtherLines, resultsOf } from './further-lines.js';
import { factsToList, mentionsSegment, shortenedEntries } from './mentions-segment.js';
import { type SegmentFactory } from './segment-factory.js';
import { type PlacedTimeline } from './timeline.js';

/** The remaining units of the budget, and the tallies of the rolled-up groups. */
type ClosingOptions = Readonly<{
  factory: SegmentFactory;
  units: number;
  rolled: readonly Tally[];
}>;

/** Shares of the remaining units: results come before facts, and facts before other lines. */
const resultsShare = 0.5;
const factsShare = 0.8;

/**
 * Fills the remaining units with content that shortened and rolled-up entries have and no segment shows: outcomes and
 * open points of the newest entries, facts, and other lines.
 */
export function closingSegments(
  shown: readonly Segment[],
  placed: PlacedTimeline,
  { factory, units, rolled }: ClosingOptions,
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
  // Facts also get the units that the lines have left.
  const all = mentionsSegment([...shown, ...lines], {
    factory,
    units: units - unitsIn(lines),
    facts,
  });
  return all ? [...lines, all] : lines;
}
