import { type StepFinding, type StepKind } from '../step-kind.js';
import { type StepDefinition } from '../step-types.js';
import { exitBy } from '../step-routes.js';
import { conditionFields } from './condition.fields.js';

/** Continues at `then` or `else`, or at `next` if that member is missing; the result is `{ result }`. */
export const conditionKind: StepKind<'condition'> = {
  type: 'condition',
  fields: () => conditionFields,
  ownMembers: Object.keys(conditionFields),
  makesAttempts: false,
  hasOpenResult: false,
  expressions: ({ condition }) => ({ condition }),
  exits: (step) => [
    exitBy('success', { then: step.then, next: step.next }),
    exitBy('success', { else: step.else, next: step.next }),
  ],
  bypass: ({ next }) => exitBy('bypass', { next }),
  children: () => [],
  needsChildren: () => false,
  check: checkCondition,
  shape: 'rhombus',
  caption: ({ condition }) => condition,
  agents: () => ({}),
  compile: (step, scope) => ({
    condition: scope.expression('condition', step.condition),
    then: scope.route(step.then ?? step.next),
    else: scope.route(step.else ?? step.next),
  }),
};

function checkCondition(step: StepDefinition<'condition'>): readonly StepFinding[] {
  const hasBoth = step.then !== undefined && step.else !== undefined;
  if (!hasBoth || step.next === undefined || step.when !== undefined) return [];
  const message = 'next has no effect together with then and else: remove it';
  return [{ code: 'no-effect', member: 'next', message }];
}
