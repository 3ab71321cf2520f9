import { type PlannedEvent } from './document-format.js';
import { type ItemRevisions } from './item-revisions.js';
import { itemOfRef } from './item-ref.js';
import { type KnownItems } from './known-items.js';

const kinds = ['functional', 'non_functional', 'constraint'] as const;

type NewItem = Readonly<{ item: string; planned: readonly PlannedEvent[] }>;

/**
 * The events of an item that no earlier revision of the documents has. If the context has the item already, because an
 * agent has created it and an export has printed it, the result has only events for what the document adds.
 */
export function introduceItem(
  { item, planned }: NewItem,
  revisions: ItemRevisions,
  items: KnownItems,
): readonly PlannedEvent[] {
  const [first, ...others] = planned;
  const match = first && items.match(first);
  if (first && match?.is === 'known') {
    revisions.adopt(item, match.item);
    return [
      ...restated(first, match.body, revisions),
      ...others.map((event) => revisions.rename(event)),
    ];
  }
  if (match?.is === 'another') while (items.has(revisions.current(item))) revisions.begin(item);
  return planned.map((event) => revisions.rename(event));
}

/** A document can only add a check mark to a requirement that exists. */
function restated(
  { event, ...planned }: PlannedEvent,
  body: Readonly<Record<string, unknown>>,
  revisions: ItemRevisions,
): readonly PlannedEvent[] {
  if (event.type !== 'RequirementRecorded') return [];
  const { met, kind: read } = event.data;
  if ((met ?? false) === (body['met'] ?? false)) return [];
  const kind = kinds.find((one) => one === body['kind']) ?? read;
  const item = revisions.current(planned.item);
  const data = { ...event.data, requirementId: itemOfRef(item).key, kind };
  return [{ ...planned, item, event: { ...event, data } }];
}
