import { z } from 'zod';

import { workflowDefaults } from '../defaults.js';
import { workflowLimits } from '../limits.js';
import { type StepKind } from '../step-kind.js';
import { routeWithoutResult, routesWithResult } from '../step-routes.js';
import { type FailurePolicy, type ParallelFields, parallelFields } from './parallel.fields.js';

/** Runs its steps as branches beside each other; the result is `{ success, data: [{ stepId, status, result, error }] }`. */
export const parallelKind: StepKind<'parallel'> = {
  type: 'parallel',
  fields: (step) => ({ ...parallelFields, steps: z.array(step).min(1).max(workflowLimits.steps) }),
  makesAttempts: false,
  expressions: () => ({}),
  routes: ({ next }) => routesWithResult({ next }),
  bypass: ({ next }) => routeWithoutResult('next', next),
  children: ({ steps }) => steps,
  compile: ({ steps, failure, max_concurrency }, site) => ({
    children: site.region(steps),
    failure: policyOf(failure ?? workflowDefaults.failure),
    maxConcurrency: max_concurrency,
  }),
};

function policyOf(failure: NonNullable<ParallelFields['failure']>): FailurePolicy {
  return typeof failure === 'string'
    ? { kind: failure }
    : { kind: 'min_success', count: failure.min_success };
}
