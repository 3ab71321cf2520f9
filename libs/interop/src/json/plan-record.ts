import { isVisible } from '#event-sourcing';

import { type ClaimedOrigin } from '../documents/document-format.js';
import { itemRef } from '../documents/item-ref.js';
import { defined } from './defined.js';
import { type JsonDraft } from './json-draft.js';
import { type JsonPart } from './json-part.js';

type Recorded = Readonly<{
  recordId: string;
  /** The list that the entry is of. */
  title: string;
  origin?: ClaimedOrigin | undefined;
  order?: readonly [number, number] | undefined;
  /** Why it is not what the list is meant for. */
  reason: string;
}>;

/** Keeps an entry that is not what its list is meant for as a record of its own, with all its members. */
export function planRecord(
  draft: JsonDraft,
  part: JsonPart,
  { recordId, title, origin, order, reason }: Recorded,
): void {
  const value = part.value();
  const body = typeof value === 'string' && isVisible(value) ? value : undefined;
  const fields = body === undefined ? (part.isObject ? value : { value }) : undefined;
  const data = defined({ recordId, kind: 'custom', title, body, fields });
  const item = itemRef('record', recordId);
  if (!draft.plan(part, { item, type: 'RecordAppended', data, origin, order })) return;
  draft.claim(part, [item]);
  draft.note(part, 'changed', `${reason}: kept as a record`);
}
