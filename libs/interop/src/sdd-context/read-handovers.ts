import { itemRef } from '../documents/item-ref.js';
import { defined } from '../json/defined.js';
import { ItemNames } from '../json/item-names.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { planRecord } from '../json/plan-record.js';
import { EntryOrder } from '../json/entry-order.js';
import { listIn } from './list-in.js';
import { priorities } from './sdd-schema.js';
import { type SddReading } from './sdd-reading.js';

/** Entries are only added, so they can be named by their numbers. */
export function readHandovers(reading: SddReading): void {
  const order = new EntryOrder();
  const names = new ItemNames();
  for (const [at, element] of listIn(reading, 'handover_notes').entries())
    readHandover(reading, element, {
      order,
      nameOf: (id) => names.take(id, `handover-${at + 1}`),
    });
}

type HandoverOptions = Readonly<{ order: EntryOrder; nameOf: (id: string | undefined) => string }>;

/** A note without a recipient is stored as a record. */
function readHandover({ draft }: SddReading, element: JsonPart, place: HandoverOptions): void {
  const entry = new JsonEntry(draft, element);
  const handoverId = place.nameOf(entry.text('id'));
  const origin = { agentId: entry.agent('from'), timestamp: entry.time('timestamp') };
  const order = place.order.next(origin.timestamp);
  const to = entry.agent('to');
  const data = defined({
    handoverId,
    to,
    priority: entry.oneOf('priority', priorities),
    note: entry.text('note'),
    relatedArtifacts: entry.texts('related_artifacts'),
    actionItems: entry.texts('action_items'),
  });
  const item = itemRef('handover', handoverId);
  if (to === undefined || data['note'] === undefined)
    return planRecord(draft, element, {
      recordId: handoverId,
      title: 'handover_notes',
      origin,
      order,
      reason: 'a handover needs a receiving agent and a note',
    });
  entry.finish();
  if (draft.plan(element, { item, type: 'HandoverNoted', data, origin, order }))
    draft.claim(element, [item]);
}
