import { z } from 'zod';

import { workflowDefaults } from '../defaults.js';
import { workflowLimits } from '../limits.js';
import { type StepFinding, type StepKind } from '../step-kind.js';
import { type StepDefinition } from '../step-types.js';
import { exitBy } from '../step-routes.js';
import { type FailurePolicy, type ParallelFields, parallelFields } from './parallel.fields.js';

/** Runs its steps as parallel branches; the result is `{ success, data: [{ stepId, status, result, error }] }`. */
export const parallelKind: StepKind<'parallel'> = {
  type: 'parallel',
  fields: (step) => ({
    ...parallelFields,
    steps: z
      .array(step)
      .min(1)
      .max(workflowLimits.steps)
      .describe('Every step without a route to it begins a branch.'),
  }),
  ownMembers: [...Object.keys(parallelFields), 'steps'],
  makesAttempts: false,
  hasOpenResult: false,
  expressions: () => ({}),
  exits: ({ next }) => [exitBy('success', { next })],
  bypass: ({ next }) => exitBy('bypass', { next }),
  children: ({ steps }) => steps,
  needsChildren: ({ failure = workflowDefaults.failure, on_error, optional }) =>
    failure === 'fail_fast' ||
    (failure === 'continue' && (on_error !== undefined || optional === true)),
  check: checkParallel,
  shape: 'group',
  caption: () => undefined,
  agents: () => ({}),
  compile: ({ failure, max_concurrency }, scope) => ({
    children: scope.children(),
    failure: policyOf(failure ?? workflowDefaults.failure),
    maxConcurrency: max_concurrency,
  }),
};

function policyOf(failure: NonNullable<ParallelFields['failure']>): FailurePolicy {
  return typeof failure === 'string'
    ? { kind: failure }
    : { kind: 'min_success', count: failure.min_success };
}

function checkParallel({ steps, failure }: StepDefinition<'parallel'>): readonly StepFinding[] {
  const minSuccess = typeof failure === 'object' ? failure.min_success : 0;
  if (minSuccess <= steps.length) return [];
  const message = `${minSuccess} branches cannot succeed: there are at most ${steps.length}`;
  return [{ code: 'contradictory-members', member: 'failure/min_success', message }];
}
