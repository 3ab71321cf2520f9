import { type WorkEnvelope } from '@throughline/sdk';

import { type Environment } from '../credentials.js';

/** The server's own settings hold passwords, and the worker's a key: programs get none of them but the address. */
const ofServers = /^(THROUGHLINE_(?!URL$).*|DATABASE_URL|EVENTSTORE_URL)$/i;

type Attempt = Pick<WorkEnvelope, 'contextId' | 'runId' | 'agent' | 'effectKey'> &
  Readonly<{ step: Pick<WorkEnvelope['step'], 'id' | 'path' | 'visit' | 'attempt'> }>;

/** What a program that carries out an attempt finds in its environment. */
export function childEnvironment(env: Environment, attempt: Attempt): Environment {
  const { contextId, runId, agent, step, effectKey } = attempt;
  const inherited = Object.entries(env).filter(([name]) => !ofServers.test(name));
  return {
    ...Object.fromEntries(inherited),
    THROUGHLINE_CONTEXT: contextId,
    THROUGHLINE_RUN: runId,
    THROUGHLINE_AGENT: agent,
    THROUGHLINE_STEP: step.id,
    THROUGHLINE_PATH: step.path,
    THROUGHLINE_VISIT: String(step.visit),
    THROUGHLINE_ATTEMPT: String(step.attempt),
    THROUGHLINE_EFFECT_KEY: effectKey,
  };
}
