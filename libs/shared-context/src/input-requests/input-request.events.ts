import { z } from 'zod';

import { defineEvent, upcast } from '#event-sourcing';

import { agentId, anyJson, existingId, identifier, text } from '../payload.schema.js';

/** The path of the requested value, such as `analyst.outputs.brief.budget`. */
const path = text.max(10_000);

const statedRequest = {
  path,
  /** Whom it is asked of. */
  from: agentId,
  reason: text.optional(),
};

export const inputRequested = defineEvent(
  'InputRequested',
  z.strictObject({ inputRequestId: identifier, ...statedRequest }),
);

const inputProvidedV1 = z.strictObject({
  inputRequestId: existingId,
  value: anyJson.optional(),
  note: text.optional(),
});

/**
 * A repeated answer with other content replaces the earlier one. `path`: the path of the request, at which readers find the
 * value; absent if they find it in the request alone. `requestedBy`: the author of the request.
 */
const inputProvided = defineEvent(
  'InputProvided',
  inputProvidedV1.extend({ path: path.optional(), requestedBy: identifier.optional() }),
  { version: 2, upcasts: { 1: upcast(inputProvidedV1, (data) => data) } },
);

export const inputRequestEvents = [inputRequested, inputProvided] as const;

/** What a client may state of what it provides. */
export const inputToProvide = inputProvidedV1;

/** What a client may state of a request; its id is made where it is left out. */
export const inputToRequest = z.strictObject({
  inputRequestId: identifier.optional(),
  ...statedRequest,
});
