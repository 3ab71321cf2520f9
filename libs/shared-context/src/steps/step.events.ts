import { z } from 'zod';

import { upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { anyJson, existingOrNewId, identifier, text } from '../payload.schema.js';
import { outputOfRun } from '../runs/run.payload.js';

const stepStartedPayload = z.strictObject({ stepId: existingOrNewId });

/** The members that a client may send; only the server assigns an output to a run. */
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
 * The newest output of a step is the current one. With `name`, it is also the author's newest output of that name.
 * `run`: the attempt that produced it; version 1 had no such member.
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
