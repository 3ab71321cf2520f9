import { z } from 'zod';

import { defineServerEvent, optionalText } from '../context-event.js';
import { anyJson, identifier, text } from '../payload.schema.js';
import { count, hash, moment, ofAttempt, ofVisit, outputOfRun, reason } from './run.payload.js';

/**
 * An attempt that may start at `dueAt`; the first one begins a visit. `agent`: who carries it out; absent for steps that the
 * interpreter carries out. `parallel`: the step whose branch it is in. `from`: the step that routed here. `recovers`: the
 * attempt before, whose effect is unknown; `verify`: this attempt finds out whether there was one.
 */
const stepScheduled = defineServerEvent(
  'StepScheduled',
  z.strictObject({
    ...ofAttempt,
    dueAt: moment,
    agent: identifier.optional(),
    parallel: identifier.optional(),
    from: identifier.optional(),
    recovers: count.optional(),
    verify: z.literal(true).optional(),
  }),
  {
    line: ({ path, attempt, agent }) =>
      `attempt ${attempt} of ${path} scheduled${optionalText(' for ', agent)}`,
  },
);

/** Stored before the attempt has any effect. `receipt`: of the view that the worker is given in place of the context. */
const stepAttemptStarted = defineServerEvent(
  'StepAttemptStarted',
  z.strictObject({
    ...ofAttempt,
    tokenHash: hash,
    effectKey: hash,
    deadline: moment,
    receipt: text.max(10_000).optional(),
  }),
  { line: ({ path, attempt }) => `attempt ${attempt} of ${path} started` },
);

/**
 * The output of a step that the interpreter has computed from those of others. It is an event of its own so that
 * audiences that do not see all of these do not see it either.
 */
const stepOutputDerived = defineServerEvent(
  'StepOutputDerived',
  z.strictObject({ stepId: identifier, output: anyJson, run: outputOfRun }),
  { line: ({ stepId }) => `step ${stepId} has a computed output` },
);

/** `code`: the class of the failure, by which a step may exclude it from retries. `output`: what the worker answered. */
const stepAttemptFailed = defineServerEvent(
  'StepAttemptFailed',
  z.strictObject({
    ...ofAttempt,
    reason,
    code: identifier.optional(),
    retryable: z.boolean(),
    output: anyJson.optional(),
  }),
  { line: ({ path, attempt, reason: why }) => `attempt ${attempt} of ${path} failed: ${why}` },
);

/** `lost`: whoever carried it out stopped renewing its claim, so that its effect is unknown. */
const stepAttemptTimedOut = defineServerEvent(
  'StepAttemptTimedOut',
  z.strictObject({ ...ofAttempt, cause: z.enum(['deadline', 'lost']) }),
  {
    line: ({ path, attempt, cause }) =>
      `attempt ${attempt} of ${path} ${cause === 'lost' ? 'was lost' : 'timed out'}`,
  },
);

const stepOutcomes = [
  'completed',
  'failed',
  'skipped',
  'approved',
  'rejected',
  'cancelled',
] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

/**
 * How a visit ended and where the run goes from there; null: to no further step. `holds`: what a condition came to. `handled`:
 * the definition says what follows the failure.
 */
const stepRouted = defineServerEvent(
  'StepRouted',
  z.strictObject({
    ...ofVisit,
    outcome: z.enum(stepOutcomes),
    to: identifier.nullable(),
    holds: z.boolean().optional(),
    handled: z.literal(true).optional(),
    reason: reason.optional(),
  }),
  {
    line: ({ path, outcome, to, reason: why }) =>
      `${path} ${outcome}${to === null ? '' : `, on to ${to}`}${optionalText(': ', why)}`,
  },
);

export const attemptEvents = [
  stepScheduled,
  stepAttemptStarted,
  stepOutputDerived,
  stepAttemptFailed,
  stepAttemptTimedOut,
  stepRouted,
] as const;
