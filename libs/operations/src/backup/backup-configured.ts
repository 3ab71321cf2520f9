import { type PoolClient } from 'pg';

import { createPool } from '#database';
import {
  type Config,
  type Logger,
  ConfigError,
  attachStorage,
  noPool,
  openEventStore,
} from '#platform';

import { type BackupCounts } from './backup-format.js';
import { LogTables } from './log-tables.js';
import { type RestoreResult, restoreBackup } from './restore-backup.js';
import { writeBackup } from './write-backup.js';

type Progress = (rows: number) => void;

/** Backs up the configured store. Its servers may be writing. */
export async function backupConfigured(
  config: Config,
  log: Logger,
  file: string,
  progress?: Progress,
): Promise<BackupCounts> {
  return withAttachedStorage(config, log, (pool) =>
    withLog({ config, log }, async (tables) => {
      const client = await pool.connect();
      try {
        if (tables) await warnOfRows(client, log);
        return await writeBackup(client, file, { now: () => new Date(), progress, log: tables });
      } finally {
        // Closes the connection, because its transaction may still be open.
        client.release(true);
      }
    }),
  );
}

/** Restores a backup into the configured store, which must be empty. Throws ConfigError if streams are in KurrentDB. */
export async function restoreConfigured(
  config: Config,
  log: Logger,
  file: string,
  progress?: Progress,
): Promise<RestoreResult> {
  if (config.eventStoreUrl !== undefined)
    throw new ConfigError(
      'EVENTSTORE_URL: a restore writes everything, including streams, to PostgreSQL: unset it for the restore, and then copy the streams to KurrentDB with "throughline store copy --from postgres --to kurrentdb"',
    );
  return withAttachedStorage(config, log, (pool) => restoreBackup(pool, file, progress));
}

/** Passes the tables of the log to `work`; undefined if the log is in the database. */
async function withLog<Result>(
  { config, log }: Readonly<{ config: Config; log: Logger }>,
  work: (tables: LogTables | undefined) => Promise<Result>,
): Promise<Result> {
  if (config.eventStoreUrl === undefined) return work(undefined);
  const store = await openEventStore({ config, log, openPool: noPool });
  try {
    return await work(await LogTables.open(store));
  } finally {
    await store.close();
  }
}

/** Warns if the database still contains streams from before they were moved; servers no longer write those. */
async function warnOfRows(client: PoolClient, log: Logger): Promise<void> {
  const { rowCount } = await client.query('select from throughline.events limit 1');
  if (rowCount !== 0)
    log.warn(
      'the database contains streams too: the backup contains the streams of KurrentDB instead of these',
    );
}

async function withAttachedStorage<Result>(
  config: Config,
  log: Logger,
  work: (pool: ReturnType<typeof createPool>) => Promise<Result>,
): Promise<Result> {
  const { connectionString, detach } = await attachStorage(config, log);
  const pool = createPool({
    // No statement timeout, because a snapshot of the whole store may take long.
    connectionString,
    applicationName: 'throughline-backup',
    max: 4,
    statementTimeoutMs: 0,
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await detach();
  }
}
