import { findRunningServer, startEmbeddedServer } from '#database';

import { type Config } from './config.js';
import { type Logger } from './logger.js';

/** A database as it is, neither checked nor migrated; `detach` ends what was started for it. */
type AttachedStorage = Readonly<{ connectionString: string; detach: () => Promise<void> }>;

/** For looking only: beside a running server as well as without one. */
export async function attachStorage(
  { databaseUrl, dataDir }: Config,
  log: Logger,
): Promise<AttachedStorage> {
  const running = databaseUrl ?? (await findRunningServer(dataDir));
  if (running !== undefined) return { connectionString: running, detach: () => Promise.resolve() };
  const server = await startEmbeddedServer({ dataDir, log });
  return { connectionString: server.connectionString, detach: server.stop };
}
