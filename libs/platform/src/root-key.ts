import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Kysely } from 'kysely';

import { hashSecret, newSecret } from '#application';
import { type Database } from '#database';

import { type Config } from './config.js';
import { findSecret, putSecret } from './server-secrets.js';

const secretName = 'root-key-hash';

/** `created` is the secret if this start created it. `hash` reads the stored hash, so that a replaced key works without a restart. */
export type RootKey = Readonly<{ created: string | undefined; hash: () => Promise<string> }>;

export function rootKeyFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'root-key');
}

/**
 * The root key of the store: the configured one, or one that the first start creates and stores in the data directory. The
 * database contains only its hash.
 */
export async function openRootKey(db: Kysely<Database>, config: Config): Promise<RootKey> {
  if (config.adminKey !== undefined) {
    const hash = hashSecret(config.adminKey);
    return { created: undefined, hash: () => Promise.resolve(hash) };
  }
  return { created: await createFirst(db, config), hash: () => readHash(db) };
}

/** Replaces a lost root key: the old one stops working within a second. */
export async function replaceRootKey(db: Kysely<Database>, config: Config): Promise<string> {
  const secret = newSecret();
  await storeKeyFile(config, secret);
  await putSecret(db, secretName, Buffer.from(hashSecret(secret)), true);
  return secret;
}

async function createFirst(db: Kysely<Database>, config: Config): Promise<string | undefined> {
  if (await findSecret(db, secretName)) return undefined;
  // A file without a hash is left by a start that was killed in between; its key was never printed, and can be used.
  const stored = await readKeyFile(config);
  const secret = stored?.trim() || newSecret();
  // Writes the file first, because a hash without a stored secret would lock everybody out.
  await storeKeyFile(config, secret);
  if (await putSecret(db, secretName, Buffer.from(hashSecret(secret)), false)) return secret;
  // Another server on this database was faster, and has the key in its own data directory.
  await rm(rootKeyFile(config), { force: true });
  return undefined;
}

async function readKeyFile(config: Config): Promise<string | undefined> {
  try {
    return await readFile(rootKeyFile(config), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readHash(db: Kysely<Database>): Promise<string> {
  return (await findSecret(db, secretName))?.toString() ?? '';
}

async function storeKeyFile(config: Config, secret: string): Promise<void> {
  const file = rootKeyFile(config);
  await mkdir(config.dataDir, { recursive: true });
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
