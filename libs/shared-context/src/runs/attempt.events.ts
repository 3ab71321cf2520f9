import { z } from 'zod';

import { defineServerEvent, optionalText } from '../context-event.js';
import { anyJson, identifier, text } from '../payload.schema.js';
import { count, hash, moment, ofAttempt, ofVisit, outputOfRun, reason } from './run.payload.js';

/**
 * An attempt that may start at `dueAt`; the first attempt begins a visit. `agent`: the agent that executes it; absent
 * for steps that the interpreter executes. `parallel`: the parallel step of its branch. `from`: the step that routed to
 * this one. `recovers`: the previous attempt, whose effect is unknown; `verify`: this attempt determines whether there
 * was an effect.
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

/**
 * Stored before the attempt has any effect. `receipt`: the receipt of the view that the worker gets instead of the
 * context.
 */
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
 * The output of a step that the interpreter computed from outputs of other steps. It has its own event type, so that an
 * audience that does not see all of these outputs does not see this one either.
 */
const stepOutputDerived = defineServerEvent(
  'StepOutputDerived',
  z.strictObject({ stepId: identifier, output: anyJson, run: outputOfRun }),
  { line: ({ stepId }) => `step ${stepId} has a computed output` },
);

/**
 * `code`: the class of the failure, which a step may exclude from retries. `output`: the output that the worker
 * reported.
 */
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

/** `lost`: the worker stopped renewing its claim, so the effect of the attempt is unknown. */
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
 * The outcome of a visit and the next step of the run, or null if there is none. `holds`: the value of a condition.
 * `handled`: the definition has a route for the failure.
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
