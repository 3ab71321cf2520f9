import { type Entry } from '../entries/entry.js';
import { farthestTold } from './pressure.js';
import { type TimelineIndex } from './timeline-index.js';

/** The entries that a view of a budget may tell of by themselves, whatever is rolled up. */
export function entriesWithin(index: TimelineIndex, maxTokens: number): readonly Entry[] {
  let left = farthestTold(maxTokens);
  let first = index.entries.length;
  while (first > 0 && left > 0) left -= index.sizes[--first] ?? 0;
  const old = index.places.kept.filter((at) => at < first);
  return [...old.flatMap((at) => index.entries[at] ?? []), ...index.entries.slice(first)];
}
