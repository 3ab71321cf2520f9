import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';

/** Returns the stored secret; the first call, in any process, creates it. */
export async function findOrCreateSecret(db: Kysely<Database>, name: string): Promise<KeyObject> {
  await sql`
    insert into throughline.server_secrets (name, value) values (${name}, ${randomBytes(32)})
    on conflict do nothing`.execute(db);
  const value = await findSecret(db, name);
  if (!value) throw new Error(`the server secret "${name}" is missing`);
  return createSecretKey(value);
}

export async function findSecret(db: Kysely<Database>, name: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ value: Buffer }>`
    select value from throughline.server_secrets where name = ${name}`.execute(db);
  return rows[0]?.value;
}

/** Returns false if the secret exists already and `replace` is not set. */
export async function putSecret(
  db: Kysely<Database>,
  name: string,
  value: Buffer,
  replace: boolean,
): Promise<boolean> {
  const { rows } = await sql`
    insert into throughline.server_secrets (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value where ${replace} returning name`.execute(
    db,
  );
  return rows.length > 0;
}
