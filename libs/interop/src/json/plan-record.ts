import { isVisible } from '#event-sourcing';

import { type ClaimedOrigin } from '../documents/document-format.js';
import { itemRef } from '../documents/item-ref.js';
import { defined } from './defined.js';
import { type JsonDraft } from './json-draft.js';
import { type JsonPart } from './json-part.js';

type RecordOptions = Readonly<{
  recordId: string;
  /** The name of the list. */
  title: string;
  origin?: ClaimedOrigin | undefined;
  order?: readonly [number, number] | undefined;
  /** Why the entry does not fit its list. */
  reason: string;
}>;

/** Stores an entry that does not fit its list as a record, with all its members. */
export function planRecord(
  draft: JsonDraft,
  part: JsonPart,
  { recordId, title, origin, order, reason }: RecordOptions,
): void {
  const value = part.value();
  const body = typeof value === 'string' && isVisible(value) ? value : undefined;
  const fields = body === undefined ? (part.isObject ? value : { value }) : undefined;
  const data = defined({ recordId, kind: 'custom', title, body, fields });
  const item = itemRef('record', recordId);
  if (!draft.plan(part, { item, type: 'RecordAppended', data, origin, order })) return;
  draft.claim(part, [item]);
  draft.note(part, 'changed', `${reason}: stored as a record`);
}
