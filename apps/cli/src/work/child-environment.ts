import { type WorkEnvelope } from '@throughline/sdk';

import { type Environment } from '../credentials.js';

/** Settings of the server contain passwords, and those of the worker a key: programs only get the address. */
const privateNames = /^(THROUGHLINE_(?!URL$).*|DATABASE_URL|EVENTSTORE_URL)$/i;

type Attempt = Pick<WorkEnvelope, 'contextId' | 'runId' | 'agent' | 'effectKey'> &
  Readonly<{ step: Pick<WorkEnvelope['step'], 'id' | 'path' | 'visit' | 'attempt'> }>;

/** Returns the environment of a program that executes an attempt. */
export function childEnvironment(env: Environment, attempt: Attempt): Environment {
  const { contextId, runId, agent, step, effectKey } = attempt;
  const inherited = Object.entries(env).filter(([name]) => !privateNames.test(name));
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
