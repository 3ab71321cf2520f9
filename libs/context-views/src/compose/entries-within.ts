import { type Entry, decisionText } from '../entries/entry.js';
import { sizeOf } from './group-tallies.js';
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

/** Texts of large live decisions without what was said for them, which views try before they shorten anything else. */
export function* decisionTexts(entries: readonly Entry[], leastSize: number): Generator<string> {
  for (const entry of entries) {
    if (!entry.pinned || entry.kind !== 'decision' || sizeOf(entry) < leastSize) continue;
    yield decisionText(entry, 'brief');
    yield decisionText(entry, 'bare');
  }
}
