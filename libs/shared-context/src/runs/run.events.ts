import { z } from 'zod';

import { defineServerEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { anyJson, identifier } from '../payload.schema.js';
import { count, epoch, hash, moment, ofRun, reason } from './run.payload.js';

const guards = ['iterations', 'visits', 'duration', 'errors', 'events'] as const;
export type Guard = (typeof guards)[number];

/**
 * `steps`: the ids of the definition's steps, which are reserved while the run is active. `interpreter`: the version of the
 * rules that the run follows. `maxDurationMs`: so that its due time follows from its
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

/** From now on the run belongs to this epoch. */
const runResumed = defineServerEvent('RunResumed', z.strictObject({ ...ofRun, epoch }), {
  line: ({ runId }) => `run ${runId} resumed`,
});

/** Nothing starts any more; work that runs may end until the deadline. */
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
 * `rejected`: an approval was refused and no route was declared for that. `output`: the value of the declared output;
 * `outputOf`: the step whose output, added in this version, is the run's.
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

/** `guard`: the limit that was reached. `stepId`: the step whose failure nobody handled. */
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
