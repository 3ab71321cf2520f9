import { type JsonObject } from '#event-sourcing';

import { listSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';

export const recordsPart = memberPart('records', {
  schema: listSchema.meta({ description: 'The sections of the story, oldest first' }),
  searched: { shape: 'list' },
  kinds: ['record'],
  listed: [{ kind: 'record', list: 'records', render: renderEntry }],
  render: renderRecords,
});

/** The sections of the story, oldest first. */
export function renderRecords(items: readonly Item[]): JsonObject[] {
  return oldestFirst('record', items).map(renderEntry);
}
