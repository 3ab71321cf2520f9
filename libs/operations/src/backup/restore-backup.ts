import { type Kysely } from 'kysely';
import { type Pool, type PoolClient } from 'pg';

import { StoreClock } from '#application';
import {
  type Database,
  UnknownMigrationError,
  createDatabase,
  migrateToLatest,
  textArray,
} from '#database';

import {
  type BackupCounts,
  type BackupHeader,
  type BackupTable,
  BackupFileError,
} from './backup-format.js';
import { verifyDatabase } from '../verify/verify-database.js';
import { type BackupPart, readBackup } from './read-backup.js';
import { backedUpTables } from './backed-up-tables.js';

/** The database is not empty; a restore does not add to existing data. */
export class DatabaseNotEmptyError extends Error {
  override readonly name = 'DatabaseNotEmptyError';
}

/** The hash chains or the positions of the restored log are broken. */
export class BrokenChainError extends Error {
  override readonly name = 'BrokenChainError';
}

export type RestoreResult = BackupCounts &
  Readonly<{ header: BackupHeader; streams: number; events: number }>;

/** The maximum number of rows per statement, which `maxCharacters` bounds too. */
const maxRows = 2_000;
const maxCharacters = 4 * 1_048_576;

/**
 * Restores a backup into an empty database. Checks the whole file before it writes anything, migrates to the schema of the backup,
 * loads all rows in one transaction, runs later migrations, and checks the hash chain of every stored stream. A killed restore
 * leaves no rows. Throws {@link BackupFileError}, {@link DatabaseNotEmptyError} and errors of migrations.
 */
export async function restoreBackup(
  pool: Pool,
  file: string,
  progress?: (rows: number) => void,
): Promise<RestoreResult> {
  const { header, counts } = await checkFile(file);
  const db = createDatabase(pool, Number.POSITIVE_INFINITY);
  await withClient(pool, (client) => clear(client));
  await migrateAs(db, header);
  await withClient(pool, (client) => load(client, file, progress));
  await migrateToLatest(db);
  // Writes after the backup are lost, but clients may have read them; the new epoch invalidates their cursors.
  await new StoreClock(db).renewEpoch();
  return { ...counts, header, ...(await verifyRestored(db)) };
}

async function verifyRestored(db: Kysely<Database>): Promise<{ streams: number; events: number }> {
  const { streams, events, broken, findings, missingPosition } = await verifyDatabase(db);
  const [first] = findings;
  if (first)
    throw new BrokenChainError(
      `everything is restored, but the log was modified before the backup: ${first.stream} is broken at version ${first.version} (${first.reason}), ${broken} streams in total`,
    );
  if (missingPosition !== null)
    throw new BrokenChainError(
      `everything is restored, but the log in the backup has no event at position ${missingPosition}`,
    );
  return { streams, events };
}

async function checkFile(file: string): Promise<{ header: BackupHeader; counts: BackupCounts }> {
  let header: BackupHeader | undefined;
  let counts: BackupCounts | undefined;
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') header = part.header;
    if (part.kind === 'complete') counts = part.counts;
  }
  if (!header || !counts) throw new BackupFileError('line 1: the file has no header');
  return { header, counts };
}

async function migrateAs(db: Kysely<Database>, { migrations }: BackupHeader): Promise<void> {
  try {
    await migrateToLatest(db, { upTo: migrations });
  } catch (cause) {
    if (cause instanceof UnknownMigrationError)
      throw new BackupFileError(
        `the backup was written by a newer version of Throughline (${cause.names.join(', ')}): restore it with that version`,
        { cause },
      );
    throw cause;
  }
}

/** Drops an unused schema, so that the migrations of the backup can create it again. */
async function clear(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ table_name: string }>(
    `select table_name from information_schema.tables where table_schema = 'throughline'`,
  );
  const existing = new Set(rows.map(({ table_name }) => table_name));
  for (const { table } of backedUpTables)
    if (table !== 'store_identity' && existing.has(table)) await refuseRows(client, table);
  await client.query('drop schema if exists throughline cascade');
}

async function refuseRows(client: PoolClient, table: string): Promise<void> {
  const { rowCount } = await client.query(`select from throughline.${table} limit 1`);
  if (rowCount !== 0)
    throw new DatabaseNotEmptyError(
      `the database is in use already (throughline.${table} has rows): restore into an empty database or a new data directory`,
    );
}

async function load(
  client: PoolClient,
  file: string,
  progress: ((rows: number) => void) | undefined,
): Promise<void> {
  await client.query('begin');
  try {
    await client.query('delete from throughline.store_identity');
    const loader = new RowLoader(client, progress);
    for await (const part of readBackup(file)) await loader.take(part);
    await client.query(
      `select setval(pg_get_serial_sequence('throughline.streams', 'stream_id'), max(stream_id))
       from throughline.streams having max(stream_id) is not null`,
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Collects rows and inserts them in batches. */
class RowLoader {
  #table: BackupTable | undefined;
  #rows: (readonly (string | null)[])[] = [];
  #characters = 0;
  #loaded = 0;

  constructor(
    private readonly client: PoolClient,
    private readonly progress: ((rows: number) => void) | undefined,
  ) {}

  async take(part: BackupPart): Promise<void> {
    if (part.kind === 'table') this.#table = knownTable(part.table);
    if (part.kind === 'end') await this.#flush();
    if (part.kind !== 'row') return;
    this.#rows.push(part.row);
    this.#characters += part.row.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (this.#rows.length >= maxRows || this.#characters >= maxCharacters) await this.#flush();
  }

  async #flush(): Promise<void> {
    const [rows, table] = [this.#rows, this.#table];
    if (rows.length === 0 || !table) return;
    const names = table.columns.map(({ name }) => name).join(', ');
    const values = table.columns.map(({ name, type }) => `${name}::${type}`).join(', ');
    const arrays = table.columns.map((_, at) => `$${at + 1}::text[]`).join(', ');
    await this.client.query(
      `insert into throughline.${table.table} (${names}) overriding system value
       select ${values} from unnest(${arrays}) as given(${names})`,
      table.columns.map((_, at) => textArray(rows.map((row) => row[at] ?? null))),
    );
    this.#loaded += rows.length;
    this.progress?.(this.#loaded);
    this.#rows = [];
    this.#characters = 0;
  }
}

function knownTable(table: BackupTable): BackupTable {
  if (backedUpTables.some((known) => known.table === table.table)) return table;
  throw new BackupFileError(
    `the backup contains a table that this version does not have: ${table.table}`,
  );
}

async function withClient<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
