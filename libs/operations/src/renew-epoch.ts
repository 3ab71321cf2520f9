import { StoreClock } from '#application';
import { createDatabase, createPool } from '#database';
import { type Config, type Logger, attachStorage } from '#platform';

/** Starts a new epoch, so that runs of the store wait until they are resumed. Servers may be running. Returns the new epoch. */
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
