import { type Environment } from '../credentials.js';
import { type Envelope } from './claimed-work.js';

/** The server's own settings hold passwords, and the worker's a key: programs get none of them but the address. */
const ofServers = /^(THROUGHLINE_(?!URL$).*|DATABASE_URL|EVENTSTORE_URL)$/i;

/** What a program that carries out an attempt finds in its environment. */
export function childEnvironment(env: Environment, envelope: Envelope): Environment {
  const { contextId, runId, agent, step, effectKey } = envelope;
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
