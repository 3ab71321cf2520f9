import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';

import { liveTables, readModelTableNames } from '../tables.js';

type Db = Kysely<Database> | Transaction<Database>;

const live = liveTables.schema;

/** Creates empty tables with the live names and columns in a separate schema, with no index except the primary key. */
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

/** Creates the indexes after the rows: several times cheaper than updating them row by row. */
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
  // Waits for all, so that none is still running when another fails.
  const finished = await Promise.allSettled(readModelTableNames.map(finish));
  const failed = finished.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

export async function dropTables(db: Db, schema: string): Promise<void> {
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(db);
}

/**
 * Moves the live tables to schema `retired` and those of `replacement` to the live schema; readers wait for the
 * duration of the transaction.
 */
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

/** The storage parameters and keys of the live table, as statements for the new table. */
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
