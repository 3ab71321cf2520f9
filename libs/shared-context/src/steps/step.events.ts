import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { anyJson, existingOrNewId, identifier, text } from '../payload.schema.js';
import { outputOfRun } from '../runs/run.payload.js';

const stepStartedPayload = z.strictObject({ stepId: existingOrNewId });

/** What a client may state of an output: only the server says that it is of a run. */
export const stepOutputToAdd = z.strictObject({
  stepId: existingOrNewId,
  output: anyJson,
  name: identifier.optional(),
  artifactIds: z.array(existingOrNewId).optional(),
});

const stepFailedPayload = z.strictObject({
  stepId: existingOrNewId,
  reason: text,
  tried: anyJson.optional(),
});

const stepStarted = defineClientEvent('StepStarted', stepStartedPayload, {
  line: ({ stepId }) => `step ${stepId} started`,
  client: { command: 'StartStep', payload: stepStartedPayload },
});

/**
 * Adding again keeps both, the latest is current; with `name` it is also its author's latest of that name. `run`: the attempt
 * that it is the success of; left out by version 1.
 */
const stepOutputAdded = defineClientEvent(
  'StepOutputAdded',
  stepOutputToAdd.extend({ run: outputOfRun.optional() }),
  {
    line: ({ stepId, name }) => `step ${stepId} has an output${optionalText(' named ', name)}`,
    client: { command: 'AddStepOutput', payload: stepOutputToAdd },
    history: { version: 2, upcasts: { 1: upcast(stepOutputToAdd, (data) => data) } },
  },
);

const stepFailed = defineClientEvent('StepFailed', stepFailedPayload, {
  line: ({ stepId, reason }) => `step ${stepId} failed: ${reason}`,
  client: { command: 'FailStep', payload: stepFailedPayload },
});

export const stepEvents = [stepStarted, stepOutputAdded, stepFailed] as const;

export const stepItemKinds = [
  defineItemKind('step', { isTraced: true }),
  defineItemKind('step-output', {
    rulesReadBody: true,
    isTraced: true,
    view: { section: 'outputs', heading: ['stepId', 'name'] },
  }),
  defineItemKind('step-failure', {
    rulesReadBody: true,
    isTraced: true,
    view: { section: 'failures', heading: ['stepId'] },
  }),
  defineItemKind('output', { isTraced: true }),
  defineItemKind('output-value', { rulesReadBody: true, isTraced: true }),
] as const;
