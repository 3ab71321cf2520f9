import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';

import {
  createDatabase,
  createPool,
  launchCluster,
  migrateToLatest,
  stopPostmaster,
} from '#database';

import { type Config } from './config.js';
import { type Logger } from './logger.js';

/** A migrated database to connect to; `stop` ends what was started for it. */
export type Storage = Readonly<{ connectionString: string; stop: () => Promise<void> }>;

/** The database of the configuration: yours, or the embedded one, started. Migrated either way. */
export async function openStorage(config: Config, log: Logger): Promise<Storage> {
  const storage = await openServer(config, log);
  try {
    await migrateStorage(storage.connectionString);
    return storage;
  } catch (error) {
    await storage.stop();
    throw error;
  }
}

export async function migrateStorage(connectionString: string): Promise<void> {
  const db = createDatabase(
    createPool({ connectionString, applicationName: 'throughline-migrate', max: 2 }),
  );
  try {
    await migrateToLatest(db);
  } finally {
    await db.destroy();
  }
}

async function openServer(config: Config, _log: Logger): Promise<Storage> {
  if (config.databaseUrl !== undefined)
    return { connectionString: config.databaseUrl, stop: () => Promise.resolve() };
  const dataDir = resolve(config.dataDir);
  await mkdir(dataDir, { recursive: true });
  const cluster = await launchCluster(dataDir, {});
  return {
    connectionString: cluster.connectionString('postgres'),
    stop: () => stopPostmaster(cluster.process.pid),
  };
}
