import { type JsonObject } from '#event-sourcing';

import { type Item } from '../item.js';
import { without } from '../json.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';
import { shownVersion } from '../timeline/shown-version.js';
import { summaryFacts } from './summary.item.js';

/** A summary with the versions it covers, when it was written, and the version that did. */
export function renderSummary(item: Item): JsonObject {
  const { from, to } = summaryFacts(item).covers;
  return {
    ...without(renderEntry(item), ['agentId']),
    covers: { from: shownVersion(from), to: shownVersion(to) },
  };
}

/** What models have written about what is old, oldest first; the newest tells of all that those before it do. */
export function renderSummaries(items: readonly Item[]): JsonObject[] {
  return oldestFirst('summary', items).map(renderSummary);
}
