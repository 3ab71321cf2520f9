import {
  createLogger,
  describeStores,
  loadConfig,
  openProjectorRuntime,
  type ProjectorRuntime,
} from '#platform';

import { openStatusServer, type StatusServer } from './status-server.js';

/** `lost` never resolves: the database is somebody else's, and comes back. */
type RunningProjector = Readonly<{ stop: () => Promise<void>; lost: Promise<Error> }>;

/**
 * Keeps the read models of the servers that an environment's DATABASE_URL names, and runs their rebuilds. `print`
 * takes text for a person.
 */
export async function runProjector(
  env: Readonly<Record<string, string | undefined>>,
  { print }: Readonly<{ print: (text: string) => void }>,
): Promise<RunningProjector> {
  const config = loadConfig(env);
  const runtime = await openProjectorRuntime(config, createLogger(config));
  try {
    const status = await serveStatus(runtime);
    print(`Throughline keeps read models as ${runtime.instance}`);
    if (status) print(`Health and metrics: ${status.address}`);
    print(describeStores(config));
    return { stop: () => stop(runtime, status), lost: Promise.withResolvers<Error>().promise };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

async function serveStatus(runtime: ProjectorRuntime): Promise<StatusServer | undefined> {
  const { host, projectorPort: port } = runtime.config;
  if (port === undefined) return undefined;
  try {
    return await openStatusServer(runtime, { host, port });
  } catch (cause) {
    throw new Error(
      `port ${port} on ${host} is not to be had: stop what uses it, or set PROJECTOR_PORT`,
      { cause },
    );
  }
}

/** Others take over at once what this process had. */
async function stop(runtime: ProjectorRuntime, status: StatusServer | undefined): Promise<void> {
  try {
    await status?.close();
  } finally {
    await runtime.close();
  }
}
