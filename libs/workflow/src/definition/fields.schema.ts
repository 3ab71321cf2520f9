import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { workflowLimits } from './limits.js';
import { count, duration, expressionSource, reference, stepName, text } from './names.schema.js';

export const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** A route to a step. */
export const route = z.union([
  reference.describe('The id of a step.'),
  z.strictObject({
    to: reference.describe('The id of a step.'),
    max_visits: count.describe('How often a run may take this route.').optional(),
    on_limit: reference
      .describe('The step to which a run goes after that many uses. Default: the run fails.')
      .optional(),
  }),
]);

export type RouteField = z.output<typeof route>;

const delay = z.int().min(0).max(workflowLimits.duration);

const attempts = z.int().min(1).max(workflowLimits.attempts);

const retry = z.strictObject({
  max_attempts: attempts
    .describe('The number of all attempts, including the first one. Default: 1.')
    .optional(),
  delay_ms: delay.describe('Delay before the second attempt. Default: 0.').optional(),
  factor: z
    .number()
    .min(1)
    .max(100)
    .describe('The factor by which the delay grows before each further attempt. Default: 2.')
    .optional(),
  max_delay_ms: delay
    .describe('Maximum delay. Default: 300000, or delay_ms if that is more.')
    .optional(),
  jitter: z
    .enum(['full', 'none'])
    .describe('full: the actual delay is a random part of the delay. Default: full.')
    .optional(),
  non_retryable: z
    .array(reference)
    .max(workflowLimits.names)
    .describe('Codes of failures after which no further attempt is made.')
    .optional(),
});

export const recoveries = ['replay_safe', 'keyed', 'verify', 'ask'] as const;

/** Members that steps of every type may have. */
export const commonFields = {
  id: stepName.describe('Names the step: context.<id> is its result.'),
  name: text.describe('The name that people see.').optional(),
  description: text.optional(),
  when: expressionSource
    .describe('An expression: if it is false, the run skips the step.')
    .optional(),
  optional: z
    .boolean()
    .describe('Whether the run continues at next if the step fails. Default: false.')
    .optional(),
  input: z
    .union([reference, z.array(reference).min(1).max(workflowLimits.names)])
    .describe(
      'Steps, outputs or members of initial_context that the step needs; it fails if one of them has no value.',
    )
    .optional(),
  output: stepName.describe('A second name of the result: context.<output>.').optional(),
  parameters: jsonObject.describe('Values for the step in addition to the context.').optional(),
  next: route.describe('The next step after this one. Default: the run ends.').optional(),
  on_error: route
    .describe(
      'The next step if this one fails, or "skip" to continue at next. Default: the run fails.',
    )
    .optional(),
  max_retries: attempts
    .describe('The number of all attempts, including the first one. Default: 1.')
    .optional(),
  retry_delay_ms: delay
    .describe('Delay before the second attempt, doubled before each further one. Default: 0.')
    .optional(),
  retry: retry.optional(),
  timeout_ms: duration.describe('Maximum time of one attempt. Default: 60000.').optional(),
  max_visits: count.describe('How often a run may visit the step.').optional(),
  on_limit: reference
    .describe(
      'The step to which a run goes instead of visiting this one too often. Default: the run fails.',
    )
    .optional(),
  recovery: z
    .enum(recoveries)
    .describe(
      'What happens to an attempt that may or may not have taken effect. Default: by the kind of the agent.',
    )
    .optional(),
  verify: reference
    .describe(
      'For recovery verify: the agent that checks whether the attempt took effect. Default: the agent of the step.',
    )
    .optional(),
};

const commonObject = z.object(commonFields);

export type CommonFields = Readonly<z.output<typeof commonObject>>;
