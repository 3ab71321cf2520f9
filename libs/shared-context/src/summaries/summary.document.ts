import { type JsonObject } from '#event-sourcing';

import { listSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { without } from '../json.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';
import { shownVersion } from '../shown-version.js';
import { summaryFacts } from './summary.item.js';

export const summariesPart = memberPart('summaries', {
  schema: listSchema.meta({
    description: 'Summaries of older content by models, oldest first',
  }),
  searched: { shape: 'list' },
  kinds: ['summary'],
  listed: [{ kind: 'summary', list: 'summaries', render: renderSummary }],
  render: renderSummaries,
});

/** A summary with the covered versions, its time and its own version. */
export function renderSummary(item: Item): JsonObject {
  const { from, to } = summaryFacts(item).covers;
  return {
    ...without(renderEntry(item), ['agentId']),
    covers: { from: shownVersion(from), to: shownVersion(to) },
  };
}

/** Summaries by models, oldest first; each covers everything that the earlier ones cover. */
export function renderSummaries(items: readonly Item[]): JsonObject[] {
  return oldestFirst('summary', items).map(renderSummary);
}
