import { compileAttempts } from '../compile-attempts.js';
import { type StepKind } from '../step-kind.js';
import { exitBy } from '../step-routes.js';
import { agentFields } from './agent.fields.js';

/** An agent receives the context and returns the result. */
export const agentKind: StepKind<'agent'> = {
  type: 'agent',
  fields: () => agentFields,
  ownMembers: Object.keys(agentFields),
  makesAttempts: true,
  hasOpenResult: true,
  expressions: () => ({}),
  exits: ({ next }) => [exitBy('success', { next })],
  bypass: ({ next }) => exitBy('bypass', { next }),
  children: () => [],
  needsChildren: () => false,
  check: () => [],
  shape: 'box',
  caption: ({ agent }) => agent,
  agents: ({ agent, verify }) => (verify === undefined ? { agent } : { agent, verify }),
  compile: (step) => ({ agent: step.agent, attempts: compileAttempts(step, step.agent) }),
};
