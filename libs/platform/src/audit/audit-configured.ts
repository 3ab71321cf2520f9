import { type History } from '#audit';
import { createDatabase, createPool } from '#database';
import { PostgresEventStore } from '#event-store-postgres';

import { attachStorage } from '../attach-storage.js';
import { type Config } from '../config.js';
import { type Logger } from '../logger.js';
import { type StoreAudit, auditStore } from './audit-store.js';

const poolSize = 4;

/** Audits the store of the configuration, while its servers run or while they do not. */
export async function auditConfigured(
  config: Config,
  log: Logger,
  history: History | undefined,
): Promise<StoreAudit> {
  const { connectionString, detach } = await attachStorage(config, log);
  const pool = createPool({
    ...{ connectionString, applicationName: 'throughline-audit', max: poolSize },
    // The whole log is sorted once.
    statementTimeoutMs: 0,
  });
  const db = createDatabase(pool, Number.POSITIVE_INFINITY);
  const store = new PostgresEventStore({ pool });
  try {
    return await auditStore({ db, store }, history);
  } finally {
    await store.close();
    await db.destroy();
    await detach();
  }
}
