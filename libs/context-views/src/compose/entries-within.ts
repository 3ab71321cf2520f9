import { type Entry, decisionText } from '../entries/entry.js';
import { sizeOf } from './entry-sizes.js';
import { farthestTold } from './pressure.js';
import { type TimelineIndex } from './timeline-index.js';

/** The entries that a view of a budget may tell of by themselves, whatever is rolled up. */
export function entriesWithin(index: TimelineIndex, maxTokens: number): readonly Entry[] {
  const first = index.entries.length - countWithin(index, maxTokens);
  const old = index.places.kept.filter((at) => at < first);
  return [...old.flatMap((at) => index.entries[at] ?? []), ...index.entries.slice(first)];
}

/** How many of the newest entries these are; of older ones, only those that are told of however old they are. */
function countWithin({ entries, sizes }: TimelineIndex, maxTokens: number): number {
  let left = farthestTold(maxTokens);
  let first = entries.length;
  while (first > 0 && left > 0) left -= sizes[--first] ?? 0;
  return entries.length - first;
}

/** Estimated tokens of which reading all takes less than a tenth of a second. */
const littleToRead = 50_000;

/**
 * Before a view: makes in steps what takes long of its entries, unless they fit as they are. The estimate may be wrong, and
 * they have to fit with everything else: a context that seems to fit is prepared, too, if there is much to read.
 */
export function* prepareTimeline(index: TimelineIndex, maxTokens: number): Generator<void, void> {
  const estimated = index.sizes.reduce((sum, size) => sum + size, 0);
  if (estimated > Math.min(maxTokens, littleToRead))
    yield* index.prepare(countWithin(index, maxTokens));
}

/** Texts of large live decisions without what was said for them, which views try before they shorten anything else. */
export function* decisionTexts(entries: readonly Entry[], leastSize: number): Generator<string> {
  for (const entry of entries) {
    if (!entry.pinned || entry.kind !== 'decision' || sizeOf(entry) < leastSize) continue;
    yield decisionText(entry, 'brief');
    yield decisionText(entry, 'bare');
  }
}
