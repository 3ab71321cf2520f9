import { type StepKind } from '../step-kind.js';
import { routeWithoutResult, routesWithResult } from '../step-routes.js';
import { transformFields } from './transform.fields.js';

/** The result is the value of an expression. */
export const transformKind: StepKind<'transform'> = {
  type: 'transform',
  fields: () => transformFields,
  makesAttempts: false,
  expressions: ({ transform }) => ({ transform }),
  routes: ({ next }) => routesWithResult({ next }),
  bypass: ({ next }) => routeWithoutResult('next', next),
  children: () => [],
  compile: ({ transform }, site) => ({ transform: site.expression('transform', transform) }),
};
