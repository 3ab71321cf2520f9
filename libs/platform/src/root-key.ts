import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Kysely } from 'kysely';

import { hashSecret, newSecret } from '#application';
import { type Database } from '#database';

import { type Config } from './config.js';
import { findSecret, putSecret } from './server-secrets.js';

const secretName = 'root-key-hash';

/** `created`: the secret, on the one start that made it. `hash` looks it up, so that a recovered key counts at once. */
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

/** Replaces a lost root key: the old one stops working at once. */
export async function replaceRootKey(db: Kysely<Database>, config: Config): Promise<string> {
  const secret = newSecret();
  await keep(config, secret);
  await putSecret(db, secretName, Buffer.from(hashSecret(secret)), true);
  return secret;
}

async function makeFirst(db: Kysely<Database>, config: Config): Promise<string | undefined> {
  if (await findSecret(db, secretName)) return undefined;
  // A file without a hash is what a start leaves that died in between: its key was never shown, but may be kept.
  const kept = await readFile(rootKeyFile(config), 'utf8').catch(() => undefined);
  const secret = kept?.trim() || newSecret();
  const first = await putSecret(db, secretName, Buffer.from(hashSecret(secret)), false);
  if (!first) return undefined;
  await keep(config, secret);
  return secret;
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
