import { z } from 'zod';

import { defineServerEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { anyJson, identifier } from '../payload.schema.js';
import { count, epoch, hash, moment, ofRun, reason } from './run.payload.js';

const guards = ['iterations', 'visits', 'duration', 'errors', 'events'] as const;
export type Guard = (typeof guards)[number];

/**
 * `steps`: the ids of the definition's steps, which are reserved while the run is active. `interpreter`: the version of
 * the rules that the run follows. `maxDurationMs`: repeated here, so that the due time of the run follows from its
 * events alone.
 */
const runStarted = defineServerEvent(
  'RunStarted',
  z.strictObject({
    ...ofRun,
    definition: z.strictObject({ definitionId: identifier, version: count, hash }),
    interpreter: count,
    epoch,
    maxDurationMs: count,
    steps: z.array(identifier).min(1).max(1_000),
    input: anyJson,
  }),
  {
    line: ({ runId, definition: { definitionId, version } }) =>
      `run ${runId} of ${definitionId} version ${version} started`,
    idMember: 'runId',
  },
);

const runPaused = defineServerEvent(
  'RunPaused',
  z.strictObject({ ...ofRun, reason: reason.optional() }),
  { line: ({ runId, reason: why }) => `run ${runId} paused${optionalText(': ', why)}` },
);

/** The run belongs to this epoch from here on. */
const runResumed = defineServerEvent('RunResumed', z.strictObject({ ...ofRun, epoch }), {
  line: ({ runId }) => `run ${runId} resumed`,
});

/** No further work starts; running work may end until the deadline. */
const runCancelRequested = defineServerEvent(
  'RunCancelRequested',
  z.strictObject({ ...ofRun, deadline: moment, reason: reason.optional() }),
  { line: ({ runId, reason: why }) => `run ${runId} is being cancelled${optionalText(': ', why)}` },
);

const runCancelled = defineServerEvent(
  'RunCancelled',
  z.strictObject({ ...ofRun, reason: reason.optional() }),
  { line: ({ runId, reason: why }) => `run ${runId} cancelled${optionalText(': ', why)}` },
);

/**
 * `rejected`: an approval was rejected, and the definition has no route for that. `output`: the value of the declared
 * output. `outputOf`: the step and the version of the output that is the output of the run.
 */
const runCompleted = defineServerEvent(
  'RunCompleted',
  z.strictObject({
    ...ofRun,
    outcome: z.enum(['completed', 'rejected']),
    output: anyJson.optional(),
    outputOf: z.strictObject({ stepId: identifier, version: count }).optional(),
  }),
  { line: ({ runId, outcome }) => `run ${runId} ${outcome}` },
);

/** `guard`: the limit that was reached. `stepId`: the step whose failure was not handled. */
const runFailed = defineServerEvent(
  'RunFailed',
  z.strictObject({
    ...ofRun,
    reason,
    guard: z.enum(guards).optional(),
    stepId: identifier.optional(),
    attempts: count.optional(),
  }),
  { line: ({ runId, reason: why }) => `run ${runId} failed: ${why}` },
);

export const runEvents = [
  runStarted,
  runPaused,
  runResumed,
  runCancelRequested,
  runCancelled,
  runCompleted,
  runFailed,
] as const;

export const runItemKinds = [
  defineItemKind('run'),
  defineItemKind('run-input', { rulesReadBody: true }),
  defineItemKind('run-step'),
  defineItemKind('run-frozen', { rulesReadBody: true }),
] as const;
