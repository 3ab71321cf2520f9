import { checkLog } from './check-log.js';
import { type Config, ConfigError } from './config.js';
import { type Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { openProjection } from './projection.js';
import { type Readiness } from './readiness.js';
import { openStores } from './stores.js';
import { openSummaries } from './summaries.js';

/** A process that keeps read models and does nothing else: no keys, no requests. */
export type ProjectorRuntime = Readonly<{
  config: Config;
  log: Logger;
  metrics: Metrics;
  /** As `/v1/projections` names it. */
  instance: string;
  readiness: () => Promise<Readiness>;
  /** Hands its partitions and jobs over; then the connections end. */
  close: () => Promise<void>;
}>;

/** Takes its share of the partitions at once. Throws ConfigError if the environment names no database. */
export async function openProjectorRuntime(config: Config, log: Logger): Promise<ProjectorRuntime> {
  if (config.databaseUrl === undefined)
    throw new ConfigError(
      'DATABASE_URL: must name the PostgreSQL of the servers whose read models this process keeps; a server with an embedded one keeps its own',
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
