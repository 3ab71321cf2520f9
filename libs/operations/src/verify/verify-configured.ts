import { createDatabase, createPool } from '#database';
import { type Config, type Logger, attachStorage, noPool, openEventStore } from '#platform';

import { type DatabaseVerdict, verifyDatabase } from './verify-database.js';
import { verifyStore } from './verify-store.js';

/** Verifies the configured streams. Their servers may be running. */
export async function verifyConfigured(config: Config, log: Logger): Promise<DatabaseVerdict> {
  return config.eventStoreUrl === undefined
    ? verifyTables(config, log)
    : verifyKurrent(config, log);
}

/** Reads the tables directly, because the port does not return hidden events. */
async function verifyTables(config: Config, log: Logger): Promise<DatabaseVerdict> {
  const { connectionString, detach } = await attachStorage(config, log);
  const db = createDatabase(
    createPool({
      connectionString,
      applicationName: 'throughline-verify',
      max: 2,
      // No timeout, because one statement counts the positions of the whole log.
      statementTimeoutMs: 0,
    }),
    Number.POSITIVE_INFINITY,
  );
  try {
    return await verifyDatabase(db);
  } finally {
    await db.destroy();
    await detach();
  }
}

async function verifyKurrent(config: Config, log: Logger): Promise<DatabaseVerdict> {
  const store = await openEventStore({ config, log, openPool: noPool });
  try {
    return { ...(await verifyStore(store)), missingPosition: null };
  } finally {
    await store.close();
  }
}
