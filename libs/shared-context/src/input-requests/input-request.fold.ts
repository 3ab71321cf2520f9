import { type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemLookup } from '../item.js';
import { asJson, isJsonObject, without } from '../json.js';
import { authorship } from '../listed-entry.js';
import { inputRequestKey, providedMembers } from './input-request.item.js';

export const inputRequestFolds: EventFolds<'InputRequested' | 'InputProvided'> = {
  InputRequested: {
    touches: ({ data }) => [inputRequestKey(data.inputRequestId)],
    fold: (event) => [requested(event)],
  },
  InputProvided: {
    touches: ({ data }) => [inputRequestKey(data.inputRequestId)],
    fold: (event, current) => provided(event, current),
  },
};

function requested(event: RecordedOf<'InputRequested'>): ItemChange {
  const { inputRequestId, from } = event.data;
  const state = { status: 'open', from, version: event.version, ...authorship(event) };
  return { ...inputRequestKey(inputRequestId), state, body: asJson(event.data) };
}

/** Of what was never asked for nothing can be said. */
function provided(event: RecordedOf<'InputProvided'>, current: ItemLookup): readonly ItemChange[] {
  const { inputRequestId, ...said } = event.data;
  const key = inputRequestKey(inputRequestId);
  const item = current(key.kind, key.key);
  if (!item) return [];
  const asked = isJsonObject(item.body) ? without(item.body, providedMembers) : {};
  return [
    {
      ...key,
      state: {
        ...item.state,
        status: 'provided',
        providedBy: authorOf(event),
        providedAt: happenedAt(event),
      },
      body: { ...asked, ...asJson(said) },
    },
  ];
}
