import { type JsonObject } from '#event-sourcing';

import { listSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';

export const signalsPart = memberPart('signals', {
  schema: listSchema.meta({
    description: 'Signals of agents about the end of phases, oldest first',
  }),
  searched: { shape: 'list' },
  kinds: ['signal'],
  listed: [{ kind: 'signal', list: 'signals', render: renderEntry }],
  render: renderSignals,
});

/** All signals, oldest first. */
export function renderSignals(items: readonly Item[]): JsonObject[] {
  return oldestFirst('signal', items).map(renderEntry);
}
