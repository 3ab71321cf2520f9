import { createDatabase, createPool } from '#database';
import { type Config, type Logger, openStorage, replaceRootKey, rootKeyFile } from '#platform';

/**
 * Replaces a lost root key; needs no key, only the data directory or DATABASE_URL. The old key stops working immediately. With the
 * embedded database, the server must be stopped.
 */
export async function recoverRootKey(
  config: Config,
  log: Logger,
): Promise<Readonly<{ secret: string; file: string }>> {
  const storage = await openStorage(config, log);
  const db = createDatabase(
    createPool({
      connectionString: storage.connectionString,
      applicationName: 'throughline-recover',
    }),
  );
  try {
    return { secret: await replaceRootKey(db, config), file: rootKeyFile(config) };
  } finally {
    await db.destroy();
    await storage.stop();
  }
}
