import 'reflect-metadata';

import { ApplicationModule } from '#application';
import {
  type Config,
  createLogger,
  loadConfig,
  openRuntime,
  PlatformModule,
  publishWorkflows,
  type Runtime,
} from '#platform';

import { browserRulesOf, isLocal } from './http/browser.hook.js';
import { SignInCodes } from './console/sign-in-codes.js';
import { greeting } from './greeting.js';
import { type ServerState } from './http/server-state.js';
import { packageVersion } from './package-version.js';
import { type RunningApi, serveApi } from './serve-api.js';
import { startWorker } from './workers/start-worker.js';
import { WorkerPool } from './workers/worker-pool.js';

/**
 * Starts the server an environment describes, and says where it is. `print` takes text for a person, who reads it on a
 * terminal or finds it where output is kept. `lost` resolves where the database is gone for good: there is nothing left
 * to do but stop.
 */
export async function runApi(
  env: Readonly<Record<string, string | undefined>>,
  { print, isTerminal }: Readonly<{ print: (text: string) => void; isTerminal: boolean }>,
): Promise<RunningApi & Readonly<{ lost: Promise<Error> }>> {
  const config = loadConfig(env);
  const runtime = await openRuntime(config, createLogger(config));
  try {
    const signInCodes = new SignInCodes();
    const api = await serve(runtime, signInCodes);
    const signInCode = isTerminal ? signInCodes.create() : undefined;
    print(greeting(api.address, runtime, { isTerminal, signInCode }));
    const lost = new Promise<Error>((resolve) => runtime.onStorageLost(resolve));
    return { address: api.address, stop: () => stop(api, runtime), lost };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

async function serve(runtime: Runtime, signInCodes: SignInCodes): Promise<RunningApi> {
  const { config, log: logger } = runtime;
  if (!isLocal(config.host))
    logger.warn({ host: config.host }, 'keys travel in clear text: put TLS in front');
  const imports = [ApplicationModule.register(PlatformModule.forRuntime(runtime))];
  if (config.projector === 'external' && config.databaseUrl === undefined)
    logger.warn('PROJECTOR=external, and the database is embedded: nothing keeps the read models');
  await publishWorkflows(runtime);
  const state = await stateOf(runtime);
  const workerPool = openWorkers(runtime);
  const browserRules = browserRulesOf(config);
  const options = { ...config, imports, logger, state, browserRules, signInCodes };
  try {
    return await serveApi({ ...options, ...(workerPool && { workerPool }) });
  } catch (cause) {
    throw isTaken(cause) ? new Error(takenPort(config), { cause }) : cause;
  }
}

/** Connections of a worker: it answers a few requests at once. */
const workerPoolSize = 4;

/** What one worker does at once: the memory of as many requests is taken at most. */
const slotsPerWorker = 4;

function openWorkers({ config, connectionString, metrics, log }: Runtime): WorkerPool | undefined {
  const { workers } = config;
  if (workers === 0) return undefined;
  const own = { databaseUrl: connectionString, poolSize: workerPoolSize };
  return new WorkerPool({
    start: () => startWorker({ ...config, ...own }),
    workers,
    report: (outcome, error) => {
      metrics.workerRequests.inc({ outcome });
      if (error)
        log.error({ err: error }, 'a worker was lost, and is started again when it is needed');
    },
    admission: {
      slots: slotsPerWorker * workers,
      slotsPerKey: slotsPerWorker * workers - 1,
      waiting: 256,
      waitingPerKey: 64,
      waitMs: 10_000,
    },
  });
}

async function stateOf({ metrics, readiness }: Runtime): Promise<ServerState> {
  return {
    version: await packageVersion(),
    registry: metrics.registry,
    requests: metrics.requests,
    readiness,
  };
}

/** Requests drain before the database stops. */
async function stop(api: RunningApi, runtime: Runtime): Promise<void> {
  try {
    await api.stop();
  } finally {
    await runtime.close();
  }
}

function takenPort({ host, port }: Config): string {
  return `port ${port} on ${host} is taken: stop what uses it, or set THROUGHLINE_PORT`;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
