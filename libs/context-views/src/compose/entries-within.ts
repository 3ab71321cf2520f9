import { type Entry } from '../entries/entry.js';
import { charactersInToken, farthestTold } from './pressure.js';
import { type TimelineIndex } from './timeline-index.js';

/**
 * The entries that a view of a budget may tell of by themselves, whatever is rolled up; of these, those of at least so
 * many UTF-16 code units.
 */
export function entriesWithin(
  index: TimelineIndex,
  maxTokens: number,
  leastCharacters = 0,
): readonly Entry[] {
  const isLarge = (at: number) => (index.sizes[at] ?? 0) * charactersInToken >= leastCharacters;
  let left = farthestTold(maxTokens);
  let first = index.entries.length;
  while (first > 0 && left > 0) left -= index.sizes[--first] ?? 0;
  const old = index.places.kept.filter((at) => at < first);
  const recent = Array.from({ length: index.entries.length - first }, (_, at) => first + at);
  return [...old, ...recent].filter(isLarge).flatMap((at) => index.entries[at] ?? []);
}
