import { compileAttempts } from '../compile-attempts.js';
import { type StepKind } from '../step-kind.js';
import { routeWithoutResult, routesWithResult } from '../step-routes.js';
import { agentFields } from './agent.fields.js';

/** An agent is given the context and returns the result. */
export const agentKind: StepKind<'agent'> = {
  type: 'agent',
  fields: () => agentFields,
  makesAttempts: true,
  expressions: () => ({}),
  routes: ({ next }) => routesWithResult({ next }),
  bypass: ({ next }) => routeWithoutResult('next', next),
  children: () => [],
  compile: (step) => ({ agent: step.agent, attempts: compileAttempts(step, step.agent) }),
};
