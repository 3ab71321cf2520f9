import { setTimeout as wait } from 'node:timers/promises';

import { watchProjection } from '../projection.mjs';

const pollMs = 20;
const hourMs = 3_600_000;

/** The agent of all workflows here. */
export const agent = 'worker';

const limits = { max_iterations: 50_000, max_duration_ms: 10 * hourMs };
const work = { type: 'agent', agent, timeout_ms: hourMs, recovery: 'replay_safe' };

/** One step, visited this number of times. */
export function loopOf(visits) {
  return {
    ...{ id: `loop-${visits}`, ...limits },
    steps: [
      { id: 'work', ...work, next: { to: 'work', max_visits: visits - 1, on_limit: 'end' } },
      { id: 'end', type: 'transform', transform: 'true' },
    ],
  };
}

/** This number of steps, each of which gets the results of all earlier ones. */
export function chainOf(steps) {
  const step = (n) => ({ id: `work-${n}`, ...work, ...(n < steps && { next: `work-${n + 1}` }) });
  return {
    ...{ id: `chain-${steps}`, ...limits },
    steps: Array.from({ length: steps }, (_, n) => step(n + 1)),
  };
}

/** One parallel step with this number of branches, visited this number of times. */
export function fanOf(branches, visits) {
  const branch = (_, n) => ({ id: `work-${n + 1}`, ...work });
  return {
    ...{ id: `fan-${branches}-${visits}`, ...limits },
    steps: [
      {
        ...{ id: 'fan', type: 'parallel', steps: Array.from({ length: branches }, branch) },
        ...(visits > 1 && { next: { to: 'fan', max_visits: visits - 1, on_limit: 'end' } }),
      },
      ...(visits > 1 ? [{ id: 'end', type: 'transform', transform: 'true' }] : []),
    ],
  };
}

/**
 * An application with one function and the projector in the same process. `carryOut(envelope)` is called for each
 * attempt of a run that `start` has started; `ended` resolves after a run has ended, and rejects if it has not
 * succeeded.
 */
export async function openOurRuns(given, connectionString, { concurrency, steps }) {
  const { NestFactory, SharedContextModule, SharedContextService, WorkflowRunsService } =
    given.build;
  const carryOut = new Map();
  const module = await SharedContextModule.forRoot({
    databaseUrl: connectionString,
    functions: { [agent]: (envelope) => carryOut.get(envelope.contextId)(envelope) },
    functionConcurrency: concurrency,
  });
  const application = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  const contexts = application.get(SharedContextService);
  const runs = application.get(WorkflowRunsService);
  const projection = await watchProjection(connectionString);
  for (const definition of steps) await runs.publish(definition);
  const start = async (definitionId, visit) => {
    const { contextId } = await contexts.createContext({ title: 'bench' });
    carryOut.set(contextId, visit);
    await runs.start(contextId, definitionId, { input: 'bench' });
    return contextId;
  };
  const ended = async (contextId) => {
    for (;;) {
      const run = await runs.get(contextId);
      if (run.endedAt !== null) return requireSuccess(run);
      await wait(pollMs);
    }
  };
  return {
    start,
    ended,
    /** Polls only after the last visit has begun: constant polling would affect the measurement. */
    carriedOut: async (definitionId, visits, visit) => {
      const last = Promise.withResolvers();
      let begun = 0;
      const contextId = await start(definitionId, () => {
        begun += 1;
        if (begun === visits) last.resolve();
        return visit();
      });
      await last.promise;
      await ended(contextId);
      return contextId;
    },
    cancel: (contextId) => runs.control(contextId, { type: 'cancel', graceMs: 0 }),
    settle: () => projection.settle(),
    close: async () => {
      await projection.close();
      await application.close();
    },
  };
}

function requireSuccess(run) {
  if (run.success !== true) throw new Error(`a run ended badly: ${JSON.stringify(run)}`);
}
