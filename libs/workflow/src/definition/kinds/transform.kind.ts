import { type StepKind } from '../step-kind.js';
import { exitBy } from '../step-routes.js';
import { transformFields } from './transform.fields.js';

/** The result is the value of an expression. */
export const transformKind: StepKind<'transform'> = {
  type: 'transform',
  fields: () => transformFields,
  ownMembers: Object.keys(transformFields),
  makesAttempts: false,
  hasOpenResult: true,
  expressions: ({ transform }) => ({ transform }),
  exits: ({ next }) => [exitBy('success', { next })],
  bypass: ({ next }) => exitBy('bypass', { next }),
  children: () => [],
  needsChildren: () => false,
  check: () => [],
  shape: 'slanted',
  caption: ({ transform }) => transform,
  agents: () => ({}),
  compile: ({ transform }, scope) => ({ transform: scope.expression('transform', transform) }),
};
