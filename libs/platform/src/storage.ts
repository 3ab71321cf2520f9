import {
  DatabaseStartError,
  StartupError,
  checkServerSettings,
  createDatabase,
  createPool,
  migrateToLatest,
  startEmbeddedServer,
} from '#database';

import { type Config } from './config.js';
import { type Logger } from './logger.js';

/** A migrated database; `stop` stops a server that was started for it. */
type Storage = Readonly<{
  connectionString: string;
  /** The migrations that were run when it was opened. */
  applied: readonly string[];
  /** The callback is called once if the embedded server ended and could not be restarted. */
  onLost: (callback: (reason: Error) => void) => void;
  stop: () => Promise<void>;
}>;

/** Opens, checks and migrates the configured database; starts the embedded one if no URL is set. */
export async function openStorage(config: Config, log: Logger): Promise<Storage> {
  const server = await openServer(config, log);
  try {
    return { ...server, applied: await migrate(server.connectionString) };
  } catch (error) {
    await server.stop();
    throw config.databaseUrl === undefined ? error : asStartupError(error);
  }
}

/** Migrates the configured database to the newest schema; returns the names of the migrations that were run. */
export async function migrateStorage(config: Config, log: Logger): Promise<readonly string[]> {
  const { applied, stop } = await openStorage(config, log);
  await stop();
  return applied;
}

/** Converts the error into one sentence that names the variable. Messages of the driver contain no password. */
function asStartupError(error: unknown): unknown {
  if (error instanceof StartupError || !(error instanceof Error)) return error;
  return new DatabaseStartError(
    `DATABASE_URL: ${error.message}: check that the server runs and that host, port, user, password and database in the URL are correct.`,
    { cause: error },
  );
}

/** Checks the settings of the server, which must not lose acknowledged writes, and migrates. */
async function migrate(connectionString: string): Promise<readonly string[]> {
  const pool = createPool({ connectionString, applicationName: 'throughline-migrate', max: 2 });
  // No time limit: migrations may take long, and wait for another process that runs them.
  const db = createDatabase(pool, Number.POSITIVE_INFINITY);
  try {
    await checkServerSettings(db);
    return await migrateToLatest(db);
  } finally {
    await db.destroy();
  }
}

async function openServer(config: Config, log: Logger): Promise<Omit<Storage, 'applied'>> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined)
    return {
      connectionString: databaseUrl,
      onLost: () => undefined,
      stop: () => Promise.resolve(),
    };
  const server = await startEmbeddedServer({ dataDir, log });
  return { connectionString: server.connectionString, onLost: server.onExit, stop: server.stop };
}
