import { type Kysely, type Transaction, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';

import { schemaName } from '../create-database.js';
import { type KnownMigration, loadMigrations, migrationsFolder } from './migration-source.js';
import {
  ChangedMigrationError,
  MigrationFailedError,
  UnknownMigrationError,
} from './migration.errors.js';

/** Held until the end of the transaction: a second process waits and then finds nothing to run. */
const lockKey = 7_305_190_468_312_047n;

type RanMigration = Readonly<{ name: string; checksum: string }>;

/** `upTo`: the migrations of another database whose schema is to be reproduced; all migrations by default. */
type MigrationScope = Readonly<{ folder?: string; upTo?: readonly RanMigration[] }>;

/**
 * Runs every missing migration in one transaction: all or none. Safe if several processes start concurrently. Returns
 * the names of the migrations that ran.
 */
export async function migrateToLatest<T>(
  db: Kysely<T>,
  { folder = migrationsFolder, upTo }: MigrationScope = {},
): Promise<string[]> {
  const all = await loadMigrations(folder);
  const known = upTo ? selectMigrations(all, upTo) : all;
  return db
    .withoutPlugins()
    .transaction()
    .execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`set local lock_timeout = 0`.execute(trx);
      await sql`select pg_advisory_xact_lock(${lockKey})`.execute(trx);
      // A migration that cannot lock a table at once must not block all other statements.
      await sql`set local lock_timeout = '10s'`.execute(trx);
      await openHistory(trx);
      const history = await readHistory(trx);
      refuseUnknown(known, history);
      // The usual case: without this check, the migrator would read the columns of every table several times.
      if (known.every(({ name }) => history.has(name))) return [];
      return runMissing(trx, known);
    });
}

/** Throws if this code does not have one of the migrations with the same text. */
function selectMigrations(
  known: readonly KnownMigration[],
  upTo: readonly RanMigration[],
): KnownMigration[] {
  refuseUnknown(known, new Map(upTo.map(({ name, checksum }) => [name, checksum])));
  const names = new Set(upTo.map(({ name }) => name));
  return known.filter(({ name }) => names.has(name));
}

async function openHistory<T>(trx: Transaction<T>): Promise<void> {
  const table = await sql<{ oid: string | null }>`
    select to_regclass('throughline.migration_checksums') as oid`.execute(trx);
  if (table.rows.some((row) => row.oid !== null)) return;
  await sql`create schema if not exists throughline`.execute(trx);
  await sql`
    create table throughline.migration_checksums (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`.execute(trx);
  await sql`comment on table throughline.migration_checksums is 'which text of each migration this database ran'`.execute(
    trx,
  );
}

async function readHistory<T>(trx: Transaction<T>): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; checksum: string }>`
    select name, checksum from throughline.migration_checksums order by name`.execute(trx);
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

function refuseUnknown(
  known: readonly KnownMigration[],
  history: ReadonlyMap<string, string>,
): void {
  const names = new Set(known.map(({ name }) => name));
  const unknown = [...history.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0) throw new UnknownMigrationError(unknown);
  const changed = known.filter(
    ({ name, checksum }) => (history.get(name) ?? checksum) !== checksum,
  );
  if (changed.length > 0) throw new ChangedMigrationError(changed.map(({ name }) => name));
}

async function runMissing<T>(
  trx: Transaction<T>,
  known: readonly KnownMigration[],
): Promise<string[]> {
  // Stored here because the migrator releases its lock in the failed transaction and then reports that error instead.
  let failure: MigrationFailedError | undefined;
  const migrator = new Migrator({
    db: trx,
    provider: {
      getMigrations: () =>
        Promise.resolve(Object.fromEntries(known.map((one) => [one.name, { up: up(one) }]))),
    },
    migrationTableSchema: schemaName,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (failure ?? error) throw failure ?? error;
  return results.map(({ migrationName }) => migrationName);

  /** The transaction that runs the migration also writes its checksum. */
  function up({ name, up: change, checksum }: KnownMigration): Migration['up'] {
    return async (db) => {
      try {
        await change(db);
      } catch (cause) {
        failure = new MigrationFailedError(name, cause);
        throw failure;
      }
      await sql`insert into throughline.migration_checksums (name, checksum) values (${name}, ${checksum})`.execute(
        db,
      );
    };
  }
}
