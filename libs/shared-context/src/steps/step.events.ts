import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { anyJson, existingOrNewId, identifier, text } from '../payload.schema.js';

export const stepStarted = defineEvent('StepStarted', z.strictObject({ stepId: existingOrNewId }));

/** Adding again keeps both, the latest is current; with `name` it is also its author's latest of that name. */
export const stepOutputAdded = defineEvent(
  'StepOutputAdded',
  z.strictObject({
    stepId: existingOrNewId,
    output: anyJson,
    name: identifier.optional(),
    artifactIds: z.array(existingOrNewId).optional(),
  }),
);

export const stepFailed = defineEvent(
  'StepFailed',
  z.strictObject({ stepId: existingOrNewId, reason: text, tried: anyJson.optional() }),
);

export const stepEvents = [stepStarted, stepOutputAdded, stepFailed] as const;
