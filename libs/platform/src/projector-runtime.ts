import { checkLog } from './check-log.js';
import { type Config, ConfigError } from './config.js';
import { type Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { openProjection } from './projection.js';
import { type Readiness } from './readiness.js';
import { openStores } from './stores.js';
import { openSummaries } from './summaries.js';

/** A process that only updates read models: it has no keys and answers no requests of clients. */
export type ProjectorRuntime = Readonly<{
  config: Config;
  log: Logger;
  metrics: Metrics;
  /** The id of the process in `/v1/projections`. */
  instance: string;
  readiness: () => Promise<Readiness>;
  /** Releases its partitions and jobs, and then closes the connections. */
  close: () => Promise<void>;
}>;

/** Starts to update its share of the partitions. Throws ConfigError if DATABASE_URL is not set. */
export async function openProjectorRuntime(config: Config, log: Logger): Promise<ProjectorRuntime> {
  if (config.databaseUrl === undefined)
    throw new ConfigError(
      'DATABASE_URL: must be the URL of the PostgreSQL database of the servers; a server with an embedded database updates its own read models',
    );
  const stores = await openStores(config, log);
  try {
    await checkLog({ ...stores, log });
  } catch (error) {
    await stores.close();
    throw error;
  }
  const metrics = new Metrics();
  const summaries = openSummaries({ ...stores, config, log, metrics });
  const projection = openProjection({ ...stores, log, metrics, summaries });
  projection.start();
  return {
    config,
    log,
    metrics,
    readiness: stores.readiness,
    instance: projection.projector.instance,
    close: async () => {
      await projection.stop();
      await stores.close();
    },
  };
}
