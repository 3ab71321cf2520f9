import { z } from 'zod';

import { member } from '../json.js';
import { handoverToAcknowledge, handoverToNote } from '../handovers/handover.events.js';
import { inputRequested, inputToProvide } from '../input-requests/input-request.events.js';
import { existingId } from '../payload.schema.js';
import { changingIn, identified, statement } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type PartComparison } from './part.difference.js';

const note = statement(handoverToNote.required({ handoverId: true }), (data) => ({
  type: 'NoteHandover',
  data,
}));
const acknowledge = statement(
  z.strictObject({
    handoverId: existingId,
    status: z.literal('acknowledged'),
    acknowledgementNote: handoverToAcknowledge.shape.note,
  }),
  ({ handoverId, acknowledgementNote }) => ({
    type: 'AcknowledgeHandover',
    data: { handoverId, note: acknowledgementNote },
  }),
);
const request = statement(inputRequested.schema, (data) => ({ type: 'RequestInput', data }));
const provide = statement(
  inputToProvide.extend({ status: z.literal('provided') }),
  ({ status: _, ...data }) => ({ type: 'ProvideInput', data }),
);

/** Handovers can be acknowledged, but not edited; new ones follow the known ones. */
export function handoversDifference(newId: () => string): PartComparison {
  const list: GrowingList = {
    id: 'handoverId',
    changed: changingIn(handoverToNote, ['status', 'acknowledgementNote'], (values, current, at) =>
      acknowledge(
        { handoverId: member(current, 'handoverId') ?? null, ...values },
        at,
        Object.keys(values),
      ),
    ),
    added: (sent, at) => note(identified(sent, 'handoverId', newId), at),
  };
  return (current, sent, at) => listDifference(current, sent, { at, list });
}

/** The value of a request can be provided; new requests follow the known ones. */
export function inputRequestsDifference(newId: () => string): PartComparison {
  const list: GrowingList = {
    id: 'inputRequestId',
    changed: changingIn(
      inputRequested.schema,
      ['status', 'value', 'note'],
      (values, current, at) => {
        const known = ['inputRequestId', 'status', 'value', 'note'].flatMap((name) => {
          const value = member(current, name);
          return value === undefined ? [] : [[name, value] as const];
        });
        return provide({ ...Object.fromEntries(known), ...values }, at, Object.keys(values));
      },
    ),
    added: (sent, at) => request(identified(sent, 'inputRequestId', newId), at),
  };
  return (current, sent, at) => listDifference(current, sent, { at, list });
}
