import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Kysely } from 'kysely';

import { hashSecret, newSecret } from '#application';
import { type Database } from '#database';

import { type Config } from './config.js';
import { findSecret, putSecret } from './server-secrets.js';

const secretName = 'root-key-hash';

/** `created`: the secret, on the one start that made it. `hash` looks it up, so that a recovered key counts without a restart. */
export type RootKey = Readonly<{ created: string | undefined; hash: () => Promise<string> }>;

export function rootKeyFile({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'root-key');
}

/**
 * The root key of this store: the environment's, or one made at the first start and kept in the data directory. The
 * database knows its hash only.
 */
export async function openRootKey(db: Kysely<Database>, config: Config): Promise<RootKey> {
  if (config.adminKey !== undefined) {
    const hash = hashSecret(config.adminKey);
    return { created: undefined, hash: () => Promise.resolve(hash) };
  }
  return { created: await makeFirst(db, config), hash: () => readHash(db) };
}

/** Replaces a lost root key: the old one stops working within a second. */
export async function replaceRootKey(db: Kysely<Database>, config: Config): Promise<string> {
  const secret = newSecret();
  await keep(config, secret);
  await putSecret(db, secretName, Buffer.from(hashSecret(secret)), true);
  return secret;
}

async function makeFirst(db: Kysely<Database>, config: Config): Promise<string | undefined> {
  if (await findSecret(db, secretName)) return undefined;
  // A file without a hash is what a start leaves that died in between: its key was never shown, but may be kept.
  const kept = await readKept(config);
  const secret = kept?.trim() || newSecret();
  // The file first: a hash whose secret nobody has would lock everybody out.
  await keep(config, secret);
  if (await putSecret(db, secretName, Buffer.from(hashSecret(secret)), false)) return secret;
  // Another server on this database was faster, and has the key in its own directory.
  await rm(rootKeyFile(config), { force: true });
  return undefined;
}

async function readKept(config: Config): Promise<string | undefined> {
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

async function keep(config: Config, secret: string): Promise<void> {
  const file = rootKeyFile(config);
  await mkdir(config.dataDir, { recursive: true });
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
