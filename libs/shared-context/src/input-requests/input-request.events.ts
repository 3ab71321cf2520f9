import { z } from 'zod';

import { defineEvent, upcast } from '#event-sourcing';

import { agentId, anyJson, existingId, identifier, text } from '../payload.schema.js';

/** Where in the work what is asked for belongs, such as `analyst.outputs.brief.budget`. */
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
 * Said again otherwise, it replaces what was provided before. `path`: the path of the request, at which the value is found
 * then; left out if it is found in the request alone. `requestedBy`: whoever asked, for whom the answer is.
 */
export const inputProvided = defineEvent(
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
