import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';

import { liveTables, readModelTableNames } from '../tables.js';

type Db = Kysely<Database> | Transaction<Database>;

const live = liveTables.schema;

/** Empty tables of the same shape and names in a schema of their own, with no index but their key. */
export async function createBuildTables(trx: Transaction<Database>, schema: string): Promise<void> {
  await sql`create schema ${sql.id(schema)}`.execute(trx);
  for (const name of readModelTableNames) {
    await sql`
      create table ${sql.table(`${schema}.${name}`)}
      (like ${sql.table(`${live}.${name}`)} including defaults including storage including compression including comments)`.execute(
      trx,
    );
    for (const statement of await copiedSettings(trx, schema, name))
      await sql.raw(statement).execute(trx);
  }
}

/** Made once the rows are there: several times cheaper than keeping them up to date row by row. */
export async function createIndexes(db: Db, schema: string, signal: AbortSignal): Promise<void> {
  const { rows } = await sql<{ tablename: string; indexdef: string }>`
    select tablename, replace(replace(indexdef, 'INDEX ', 'INDEX IF NOT EXISTS '),
      format(' ON %I.', schemaname), format(' ON %I.', ${schema}::text)) as indexdef
    from pg_indexes x
    where schemaname = ${live} and tablename = any(${readModelTableNames})
      and not exists (select from pg_constraint c where c.conindid = format('%I.%I', schemaname, indexname)::regclass)
    order by indexname`.execute(db);
  const finish = async (name: string): Promise<void> => {
    for (const { indexdef } of rows.filter(({ tablename }) => tablename === name)) {
      signal.throwIfAborted();
      await sql.raw(indexdef).execute(db);
    }
    await sql`analyze ${sql.table(`${schema}.${name}`)}`.execute(db);
  };
  // None is left running where another fails.
  const finished = await Promise.allSettled(readModelTableNames.map(finish));
  const failed = finished.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

export async function dropTables(db: Db, schema: string): Promise<void> {
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(db);
}

/** The live tables go to `retired`, those of `replacement` take their place; readers wait for the moment it takes. */
export async function swapTables(
  trx: Transaction<Database>,
  { replacement, retired }: Readonly<{ replacement: string; retired: string }>,
): Promise<void> {
  await sql`create schema ${sql.id(retired)}`.execute(trx);
  for (const name of readModelTableNames) {
    await sql`alter table ${sql.table(`${live}.${name}`)} set schema ${sql.id(retired)}`.execute(
      trx,
    );
    await sql`alter table ${sql.table(`${replacement}.${name}`)} set schema ${sql.id(live)}`.execute(
      trx,
    );
  }
  await sql`drop schema ${sql.id(replacement)}`.execute(trx);
}

export async function lockLiveTables(trx: Transaction<Database>): Promise<void> {
  const names = readModelTableNames.map((name) => sql.table(`${live}.${name}`));
  await sql`lock table ${sql.join(names)} in access exclusive mode`.execute(trx);
}

/** Storage parameters and the key of the live table, as statements on the new one. */
async function copiedSettings(
  trx: Transaction<Database>,
  schema: string,
  name: string,
): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`
    select format('alter table %I.%I set (%s)', ${schema}::text, relname, array_to_string(reloptions, ', ')) as statement
    from pg_class where oid = format('%I.%I', ${live}::text, ${name}::text)::regclass and reloptions is not null
    union all
    select format('alter table %I.%I add constraint %I %s', ${schema}::text, ${name}::text, conname, pg_get_constraintdef(oid))
    from pg_constraint
    where conrelid = format('%I.%I', ${live}::text, ${name}::text)::regclass and contype in ('p', 'u')`.execute(
    trx,
  );
  return rows.map(({ statement }) => statement);
}
