import { type History } from '#invariants';

import { createDatabase, createPool } from '#database';
import { type Config, type Logger, attachStorage, openEventStore } from '#platform';

import { type StoreAudit, auditStore } from './audit-store.js';

const poolSize = 4;

/** Audits the configured store. Its servers may be running. */
export async function auditConfigured(
  config: Config,
  log: Logger,
  history: History | undefined,
): Promise<StoreAudit> {
  const { connectionString, detach } = await attachStorage(config, log);
  const pool = createPool({
    connectionString,
    applicationName: 'throughline-audit',
    max: poolSize,
    // No timeout, because one statement sorts the whole log.
    statementTimeoutMs: 0,
  });
  const db = createDatabase(pool, Number.POSITIVE_INFINITY);
  try {
    const store = await openEventStore({ config, log, openPool: () => pool });
    try {
      return await auditStore({ db, store }, history);
    } finally {
      await store.close();
    }
  } finally {
    await db.destroy();
    await detach();
  }
}
