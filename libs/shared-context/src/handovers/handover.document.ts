import { type JsonObject } from '#event-sourcing';

import { type DocumentPart, listSchema } from '../document-part.js';
import { type Item } from '../item.js';
import { asJson, defined } from '../json.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';
import { withPriority } from './handover.item.js';

export const handoversPart: DocumentPart = {
  members: {
    handoverNotes: {
      schema: listSchema.meta({
        description: 'Every handover, open or acknowledged, oldest first',
      }),
      searched: { shape: 'list' },
    },
  },
  kinds: ['handover'],
  listed: [{ kind: 'handover', list: 'handoverNotes', render: renderHandover }],
  render: renderHandovers,
};

/** A handover with its default sender and priority, its status, and its acknowledgement. */
export function renderHandover(item: Item): JsonObject {
  const { status = null, acknowledgedBy, acknowledgedAt } = item.state;
  const entry = withPriority(renderEntry(item));
  const from = entry['from'] ?? entry['agentId'] ?? null;
  return asJson(defined({ ...entry, from, status, acknowledgedBy, acknowledgedAt }));
}

/** Every handover, acknowledged or not, oldest first. */
export function renderHandovers(items: readonly Item[]): JsonObject {
  return { handoverNotes: oldestFirst('handover', items).map(renderHandover) };
}
