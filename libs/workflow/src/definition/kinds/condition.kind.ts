import { type StepKind } from '../step-kind.js';
import { routeWithoutResult, routesWithResult } from '../step-routes.js';
import { conditionFields } from './condition.fields.js';

/** Goes on at `then` or `else`, or at `next` if that is missing; the result is `{ result }`. */
export const conditionKind: StepKind<'condition'> = {
  type: 'condition',
  fields: () => conditionFields,
  makesAttempts: false,
  expressions: ({ condition }) => ({ condition }),
  routes: (step) => {
    const isComplete = step.then !== undefined && step.else !== undefined;
    const next = isComplete ? undefined : step.next;
    return routesWithResult({ then: step.then, else: step.else, next });
  },
  bypass: ({ next }) => routeWithoutResult('next', next),
  children: () => [],
  compile: (step, site) => ({
    condition: site.expression('condition', step.condition),
    then: site.route(step.then ?? step.next),
    else: site.route(step.else ?? step.next),
  }),
};
