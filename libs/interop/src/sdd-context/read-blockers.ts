import { itemRef } from '../documents/item-ref.js';
import { ItemNames } from '../json/item-names.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { stages } from '../json/entry-order.js';
import { type SddReading } from './sdd-reading.js';

/** Statuses of blockers that are no longer open. */
const clearedStatuses = ['cleared', 'resolved', 'closed'] as const;
const order = [stages.current, 0] as const;

/** Reads blockers, which are texts or objects with an id and a description. */
export function readBlockers(reading: SddReading, elements: readonly JsonPart[]): void {
  const names = new ItemNames();
  for (const [at, element] of elements.entries())
    readBlocker(reading, element, (id) => names.take(id, `blocker-${at + 1}`));
}

function readBlocker(
  { draft, updatedAt }: SddReading,
  element: JsonPart,
  nameOf: (id: string | undefined) => string,
): void {
  const entry = new JsonEntry(draft, element);
  const line = element.value();
  const blockerId = nameOf(entry.text('id'));
  const description =
    typeof line === 'string' ? line : entry.text('description', 'blocker', 'text');
  const item = itemRef('blocker', blockerId);
  const agentId = entry.agent('raised_by');
  const origin = { agentId, timestamp: entry.time('timestamp') ?? updatedAt };
  const data = { blockerId, description };
  const status = entry.oneOf('status', ['open', ...clearedStatuses]) ?? 'open';
  entry.finish();
  if (!draft.plan(element, { item, type: 'BlockerRaised', data, origin, order })) return;
  draft.claim(element, [item]);
  if (status === 'open') return;
  draft.plan(element, { item, type: 'BlockerCleared', data: { blockerId }, origin, order });
}
