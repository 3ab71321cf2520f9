import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { workflowLimits } from './limits.js';
import { count, duration, expressionSource, reference, stepName, text } from './names.schema.js';

export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** Where a run goes: a step, or a step with a limit of how often a run may go there by this way. */
export const route = z.union([
  reference,
  z.strictObject({
    to: reference,
    /** How often a run may take this route. */
    max_visits: count.optional(),
    /** Where it goes instead after that; without it the run fails. */
    on_limit: reference.optional(),
  }),
]);

export type RouteField = z.output<typeof route>;

const delay = z.int().min(0).max(workflowLimits.duration);

const retry = z.strictObject({
  /** All attempts, the first one included. */
  max_attempts: z.int().min(1).max(workflowLimits.attempts).optional(),
  /** Before the second attempt; multiplied by `factor` before each further one. */
  delay_ms: delay.optional(),
  factor: z.number().min(1).max(100).optional(),
  max_delay_ms: delay.optional(),
  /** `full`: the delay is a random part of what it would be otherwise. */
  jitter: z.enum(['full', 'none']).optional(),
  /** Codes of failures after which no further attempt is made. */
  non_retryable: z.array(reference).max(workflowLimits.names).optional(),
});

export const recoveries = ['replay_safe', 'keyed', 'verify', 'ask'] as const;

/** Members that steps of every type may have. */
export const commonFields = {
  id: stepName,
  name: text.optional(),
  description: text.optional(),
  /** The step is skipped if this is false. */
  when: expressionSource.optional(),
  /** The run goes on at `next` if the step fails, and a parallel step does not count the failure. */
  optional: z.boolean().optional(),
  /** Results that are handed to the step beside the context. */
  input: z.union([reference, z.array(reference).min(1).max(workflowLimits.names)]).optional(),
  /** A second name of the result in the context. */
  output: stepName.optional(),
  parameters: jsonObject.optional(),
  next: route.optional(),
  /** A step, or `skip`. */
  on_error: route.optional(),
  /** All attempts, the first one included, as `retry.max_attempts`. */
  max_retries: z.int().min(1).max(workflowLimits.attempts).optional(),
  /** As `retry.delay_ms`. */
  retry_delay_ms: delay.optional(),
  retry: retry.optional(),
  /** Of one attempt. */
  timeout_ms: duration.optional(),
  /** How often a run may visit the step. */
  max_visits: count.optional(),
  /** Where a run goes instead of visiting the step once more; without it the run fails. */
  on_limit: reference.optional(),
  /** What happens to an attempt of which nobody knows whether it took effect. */
  recovery: z.enum(recoveries).optional(),
  /** The agent that finds out whether an attempt took effect; without it the agent of the step. */
  verify: reference.optional(),
};

const commonObject = z.object(commonFields);

export type CommonFields = Readonly<z.output<typeof commonObject>>;
