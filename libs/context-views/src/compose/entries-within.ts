import { type Entry } from '../entries/entry.js';
import { farthestShown } from './pressure.js';
import { type TimelineIndex } from './timeline-index.js';

/** The entries that a view within a budget may show by themselves; it rolls the others up. */
export function entriesWithin(index: TimelineIndex, maxTokens: number): readonly Entry[] {
  const first = index.entries.length - countWithin(index, maxTokens);
  const old = index.places.kept.filter((at) => at < first);
  return [...old.flatMap((at) => index.entries[at] ?? []), ...index.entries.slice(first)];
}

/** How many of the newest entries a view may show by themselves. Of older ones it shows only pinned entries. */
function countWithin({ entries, sizes }: TimelineIndex, maxTokens: number): number {
  let left = farthestShown(maxTokens);
  let first = entries.length;
  while (first > 0 && left > 0) left -= sizes[--first] ?? 0;
  return entries.length - first;
}

/** Estimated tokens of which reading all takes less than a tenth of a second. */
const littleToRead = 50_000;

/**
 * Reads and tallies in steps the entries of a view, unless they fit unshortened. The estimate may be too low, and does not
 * include the other parts of the view: so a large context is prepared even if it seems to fit.
 */
export function* prepareTimeline(index: TimelineIndex, maxTokens: number): Generator<void, void> {
  if (index.size > Math.min(maxTokens, littleToRead))
    yield* index.prepare(countWithin(index, maxTokens));
}
