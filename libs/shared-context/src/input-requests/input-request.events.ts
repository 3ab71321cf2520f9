import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { agentId, anyJson, existingId, identifier, text } from '../payload.schema.js';

const statedRequest = {
  /** Where in the work what is asked for belongs, such as `analyst.outputs.brief.budget`. */
  path: text.max(10_000),
  /** Whom it is asked of. */
  from: agentId,
  reason: text.optional(),
};

export const inputRequested = defineEvent(
  'InputRequested',
  z.strictObject({ inputRequestId: identifier, ...statedRequest }),
);

/** Said again otherwise, it replaces what was provided before. */
export const inputProvided = defineEvent(
  'InputProvided',
  z.strictObject({
    inputRequestId: existingId,
    value: anyJson.optional(),
    note: text.optional(),
  }),
);

export const inputRequestEvents = [inputRequested, inputProvided] as const;

/** What a client may state of a request; its id is made where it is left out. */
export const inputToRequest = z.strictObject({
  inputRequestId: identifier.optional(),
  ...statedRequest,
});
