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
import { type Restored, restoreBackup } from './restore-backup.js';
import { writeBackup } from './write-backup.js';

type Progress = (rows: number) => void;

/** Backs up the store of the configuration, while its servers write or while they do not. */
export async function backupConfigured(
  config: Config,
  log: Logger,
  file: string,
  progress?: Progress,
): Promise<BackupCounts> {
  return attached(config, log, (pool) =>
    withLog({ config, log }, async (tables) => {
      const client = await pool.connect();
      try {
        if (tables) await warnOfRows(client, log);
        return await writeBackup(client, file, { now: () => new Date(), progress, log: tables });
      } finally {
        // Its transaction may be under way.
        client.release(true);
      }
    }),
  );
}

/** Restores a backup into the empty store of the configuration. Throws ConfigError if streams are elsewhere. */
export async function restoreConfigured(
  config: Config,
  log: Logger,
  file: string,
  progress?: Progress,
): Promise<Restored> {
  if (config.eventStoreUrl !== undefined)
    throw new ConfigError(
      'EVENTSTORE_URL: a restore brings everything, streams included, into PostgreSQL: leave it out here, and then copy the streams to KurrentDB with "throughline store copy --from postgres --to kurrentdb"',
    );
  return attached(config, log, (pool) => restoreBackup(pool, file, progress));
}

/** Undefined if the log is in the database. */
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

/** What is there from before the streams were moved is not what servers write now. */
async function warnOfRows(client: PoolClient, log: Logger): Promise<void> {
  const { rowCount } = await client.query('select from throughline.events limit 1');
  if (rowCount !== 0)
    log.warn(
      'the database holds streams of its own too: the backup has those in KurrentDB in their place',
    );
}

async function attached<Result>(
  config: Config,
  log: Logger,
  work: (pool: ReturnType<typeof createPool>) => Promise<Result>,
): Promise<Result> {
  const { connectionString, detach } = await attachStorage(config, log);
  const pool = createPool({
    // One moment of the whole store takes as long as it takes.
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
