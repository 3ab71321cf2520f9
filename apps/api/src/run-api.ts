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

/** `print` outputs text for people, to a terminal or a log. `printsSignInLink`: by default, only to a terminal. */
type ServerOutput = Readonly<{
  print: (text: string) => void;
  isTerminal: boolean;
  printsSignInLink?: boolean;
}>;

/**
 * Starts the server that the environment variables configure, and prints its address. `lost` resolves if the database is lost permanently: the process can then only stop.
 */
export async function runApi(
  env: Readonly<Record<string, string | undefined>>,
  { print, isTerminal, printsSignInLink = isTerminal }: ServerOutput,
): Promise<RunningApi & Readonly<{ lost: Promise<Error> }>> {
  const config = loadConfig(env);
  const runtime = await openRuntime(config, createLogger(config));
  try {
    const signInCodes = new SignInCodes();
    const api = await serve(runtime, signInCodes);
    const signInCode = printsSignInLink ? signInCodes.create() : undefined;
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
    logger.warn(
      { host: config.host },
      'keys are sent unencrypted: put a TLS proxy in front of this server',
    );
  const imports = [ApplicationModule.register(PlatformModule.forRuntime(runtime))];
  if (config.projector === 'external' && config.databaseUrl === undefined)
    logger.warn(
      'PROJECTOR=external, but the database is embedded: no process updates the read models',
    );
  await publishWorkflows(runtime);
  const state = await stateOf(runtime);
  const workerPool = openWorkers(runtime);
  const browserRules = browserRulesOf(config);
  const options = { ...config, imports, logger, state, browserRules, signInCodes };
  try {
    return await serveApi({ ...options, ...(workerPool && { workerPool }) });
  } catch (cause) {
    throw isPortInUse(cause) ? new Error(portInUseMessage(config), { cause }) : cause;
  }
}

/** The database connections of a worker, which runs a few requests at the same time. */
const workerPoolSize = 4;

/** Concurrent requests per worker; this bounds the memory of expensive requests. */
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
        log.error(
          { err: error },
          'a worker ended unexpectedly; it is restarted for the next request',
        );
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

/** Drains the requests before it closes the database. */
async function stop(api: RunningApi, runtime: Runtime): Promise<void> {
  try {
    await api.stop();
  } finally {
    await runtime.close();
  }
}

function portInUseMessage({ host, port }: Config): string {
  return `port ${port} on ${host} is in use: stop the program that uses it, or set THROUGHLINE_PORT`;
}

function isPortInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
