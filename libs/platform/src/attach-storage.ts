import { findRunningServer, startEmbeddedServer } from '#database';

import { type Config } from './config.js';
import { type Logger } from './logger.js';

/** A database that was neither checked nor migrated; `detach` stops a server that was started for it. */
type AttachedStorage = Readonly<{ connectionString: string; detach: () => Promise<void> }>;

/** Opens the database for reading; a server may be running. */
export async function attachStorage(
  { databaseUrl, dataDir }: Config,
  log: Logger,
): Promise<AttachedStorage> {
  const running = databaseUrl ?? (await findRunningServer(dataDir));
  if (running !== undefined) return { connectionString: running, detach: () => Promise.resolve() };
  const server = await startEmbeddedServer({ dataDir, log });
  return { connectionString: server.connectionString, detach: server.stop };
}
