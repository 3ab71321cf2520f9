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

/** A migrated database to connect to; `stop` ends what was started for it. */
type Storage = Readonly<{
  connectionString: string;
  /** The migrations this opening ran. */
  applied: readonly string[];
  /** Called once, where the embedded server ended and could not be started again. */
  onLost: (callback: (reason: Error) => void) => void;
  stop: () => Promise<void>;
}>;

/** The database of the configuration: yours, or the embedded one, started. Checked and migrated either way. */
export async function openStorage(config: Config, log: Logger): Promise<Storage> {
  const server = await openServer(config, log);
  try {
    return { ...server, applied: await migrate(server.connectionString) };
  } catch (error) {
    await server.stop();
    throw config.databaseUrl === undefined ? error : asStartupError(error);
  }
}

/** Brings the database of the configuration to the newest schema; the names of the migrations that ran. */
export async function migrateStorage(config: Config, log: Logger): Promise<readonly string[]> {
  const { applied, stop } = await openStorage(config, log);
  await stop();
  return applied;
}

/** One sentence that names the variable; what the driver says holds no password. */
function asStartupError(error: unknown): unknown {
  if (error instanceof StartupError || !(error instanceof Error)) return error;
  return new DatabaseStartError(
    `DATABASE_URL: ${error.message}: check that the server runs and that host, port, user, password and database in the URL are right.`,
    { cause: error },
  );
}

/** Refuses a server that could lose what it acknowledged. */
async function migrate(connectionString: string): Promise<readonly string[]> {
  const pool = createPool({ connectionString, applicationName: 'throughline-migrate', max: 2 });
  // Migrations take as long as they take, and wait for another process that runs them.
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
