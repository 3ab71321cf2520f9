import { StoreClock } from '#application';
import { createDatabase, createPool } from '#database';

import { attachStorage } from './attach-storage.js';
import { type Config } from './config.js';
import { type Logger } from './logger.js';

/** Runs of the store wait until somebody resumes them. Beside its servers as well as without one. Returns the new epoch. */
export async function renewEpoch(config: Config, log: Logger): Promise<string> {
  const { connectionString, detach } = await attachStorage(config, log);
  const pool = createPool({ connectionString, applicationName: 'throughline-epoch', max: 1 });
  const db = createDatabase(pool);
  try {
    return await new StoreClock(db).renewEpoch();
  } finally {
    await db.destroy();
    await detach();
  }
}
