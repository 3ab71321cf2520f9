import { z } from 'zod';

import { defineEvent, upcast } from '#event-sourcing';

import { anyJson, existingOrNewId, identifier, text } from '../payload.schema.js';
import { outputOfRun } from '../runs/run.payload.js';

export const stepStarted = defineEvent('StepStarted', z.strictObject({ stepId: existingOrNewId }));

/** What a client may state of an output: only the server says that it is of a run. */
export const stepOutputToAdd = z.strictObject({
  stepId: existingOrNewId,
  output: anyJson,
  name: identifier.optional(),
  artifactIds: z.array(existingOrNewId).optional(),
});

/**
 * Adding again keeps both, the latest is current; with `name` it is also its author's latest of that name. `run`: the attempt
 * that it is the success of; left out by version 1.
 */
const stepOutputAdded = defineEvent(
  'StepOutputAdded',
  stepOutputToAdd.extend({ run: outputOfRun.optional() }),
  { version: 2, upcasts: { 1: upcast(stepOutputToAdd, (data) => data) } },
);

export const stepFailed = defineEvent(
  'StepFailed',
  z.strictObject({ stepId: existingOrNewId, reason: text, tried: anyJson.optional() }),
);

export const stepEvents = [stepStarted, stepOutputAdded, stepFailed] as const;
