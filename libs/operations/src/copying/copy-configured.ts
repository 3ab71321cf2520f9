import { createPool } from '#database';
import { OutcomeUnknownError, StoreUnavailableError } from '#event-sourcing';
import { PostgresEventStore } from '#event-store-postgres';
import {
  type Config,
  type Logger,
  ConfigError,
  attachStorage,
  noPool,
  openEventStore,
} from '#platform';

import { CopyInterruptedError } from './copy-errors.js';
import { type CopyPhase, type CopyReport, copyLog } from './copy-log.js';

type StoreName = 'postgres' | 'kurrentdb';

type CopyRequest = Readonly<{
  from: StoreName;
  to: StoreName;
  signal: AbortSignal;
  progress?: ((phase: CopyPhase, events: number) => void) | undefined;
}>;

const poolSize = 4;

/**
 * Copies the streams between the PostgreSQL and the KurrentDB of the configuration. Servers of the source may be running. Throws
 * ConfigError if no KurrentDB is configured, CopyInterruptedError if a store becomes unavailable, and the errors of {@link copyLog}.
 */
export async function copyConfigured(
  config: Config,
  log: Logger,
  { from, to, signal, progress }: CopyRequest,
): Promise<CopyReport> {
  if (from === to) throw new ConfigError('--from and --to: must name different kinds of stores');
  if (config.eventStoreUrl === undefined)
    throw new ConfigError('EVENTSTORE_URL: must be the URL of the KurrentDB to copy from or to');
  const kurrentdb = await openEventStore({ config, log, openPool: noPool });
  try {
    return await withPostgres(config, log, (postgres) => {
      const stores = { postgres, kurrentdb };
      return copyLog({ from: stores[from], to: stores[to], signal, progress });
    });
  } catch (error) {
    if (error instanceof StoreUnavailableError || error instanceof OutcomeUnknownError)
      throw new CopyInterruptedError(error);
    throw error;
  } finally {
    await kurrentdb.close();
  }
}

async function withPostgres<Result>(
  config: Config,
  log: Logger,
  work: (store: PostgresEventStore) => Promise<Result>,
): Promise<Result> {
  const { connectionString, detach } = await attachStorage(config, log);
  const pool = createPool({ connectionString, applicationName: 'throughline-copy', max: poolSize });
  const store = new PostgresEventStore({ pool });
  try {
    return await work(store);
  } finally {
    await store.close();
    await pool.end();
    await detach();
  }
}
