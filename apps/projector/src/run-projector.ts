import {
  createLogger,
  describeStores,
  loadConfig,
  openProjectorRuntime,
  type ProjectorRuntime,
} from '#platform';

import { openStatusServer, type StatusServer } from './status-server.js';

/** `lost` never resolves: the database is external, and the projector reconnects to it. */
type RunningProjector = Readonly<{ stop: () => Promise<void>; lost: Promise<Error> }>;

/**
 * Runs a projector for the servers that share DATABASE_URL: it updates their read models and runs rebuilds. `print` writes
 * text for the user.
 */
export async function runProjector(
  env: Readonly<Record<string, string | undefined>>,
  { print }: Readonly<{ print: (text: string) => void }>,
): Promise<RunningProjector> {
  const config = loadConfig(env);
  const runtime = await openProjectorRuntime(config, createLogger(config));
  try {
    const status = await serveStatus(runtime);
    print(`Throughline projector ${runtime.instance} is running`);
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
      `port ${port} on ${host} is not available: stop the process that uses it, or set PROJECTOR_PORT`,
      { cause },
    );
  }
}

/** Other projectors take over the partitions and jobs immediately. */
async function stop(runtime: ProjectorRuntime, status: StatusServer | undefined): Promise<void> {
  try {
    await status?.close();
  } finally {
    await runtime.close();
  }
}
