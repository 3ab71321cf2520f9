import { createPool } from '#database';

import { attachStorage } from '../attach-storage.js';
import { type Config } from '../config.js';
import { type Logger } from '../logger.js';
import { type BackupCounts } from './backup-format.js';
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
  return attached(config, log, async (pool) => {
    const client = await pool.connect();
    try {
      return await writeBackup(client, file, { now: () => new Date(), progress });
    } finally {
      // Its transaction may be under way.
      client.release(true);
    }
  });
}

/** Restores a backup into the empty store of the configuration. */
export async function restoreConfigured(
  config: Config,
  log: Logger,
  file: string,
  progress?: Progress,
): Promise<Restored> {
  return attached(config, log, (pool) => restoreBackup(pool, file, progress));
}

async function attached<Result>(
  config: Config,
  log: Logger,
  work: (pool: ReturnType<typeof createPool>) => Promise<Result>,
): Promise<Result> {
  const { connectionString, detach } = await attachStorage(config, log);
  const pool = createPool({
    // One moment of the whole store takes as long as it takes.
    ...{ connectionString, applicationName: 'throughline-backup', max: 4, statementTimeoutMs: 0 },
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
    await detach();
  }
}
