import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';

import { type PoolClient } from 'pg';

import { backedUpTables } from './backed-up-tables.js';
import {
  type BackupCounts,
  type BackupRow,
  type BackupTable,
  formatName,
} from './backup-format.js';
import { type LogTables } from './log-tables.js';

type BackupOptions = Readonly<{
  now: () => Date;
  progress?: ((rows: number) => void) | undefined;
  /** The log, if it is not in the database; it is read up to a head that was determined before the snapshot of the database. */
  log?: LogTables | undefined;
}>;

type Columns = BackupTable['columns'];

/** The size of a batch of rows. */
const portionCharacters = 4 * 1_048_576;
const maxRows = 2_000;

/**
 * Writes all data that cannot be rebuilt to `file`, as a consistent snapshot of a database that may be in use. A log outside of the
 * database is read up to a slightly earlier moment, so the snapshot contains everything that its events refer to. Memory is constant.
 * The file appears only when it is complete, and only its owner may read it.
 */
export async function writeBackup(
  client: PoolClient,
  file: string,
  options: BackupOptions,
): Promise<BackupCounts> {
  const partial = `${file}.partial`;
  const lines = new BackupLines(client, options);
  try {
    await pipeline(
      Readable.from(lines.chunks()),
      createZstdCompress(),
      createWriteStream(partial, { mode: 0o600 }),
    );
    await rename(partial, file);
    return lines.counts();
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** The lines of a backup, table by table. */
class BackupLines {
  readonly #hash = createHash('sha256');
  readonly #tables: Record<string, number> = {};
  #written = 0;

  constructor(
    private readonly client: PoolClient,
    private readonly options: BackupOptions,
  ) {}

  counts(): BackupCounts {
    return { rows: this.#written, tables: this.#tables };
  }

  async *chunks(): AsyncGenerator<string> {
    const { log } = this.options;
    await this.client.query('begin isolation level repeatable read, read only');
    yield this.#linesText([await this.#header()]);
    for (const { table, key } of backedUpTables)
      if (!log || !isLog(table))
        yield* this.#table(table, (columns) => this.#rows(table, key, columns));
    // Ends the transaction before a log outside of the database is read, which may take long.
    await this.client.query('commit');
    if (log) yield* this.#log(log);
    const sha256 = this.#hash.digest('hex');
    yield `${JSON.stringify({ complete: true, rows: this.#written, sha256 })}\n`;
  }

  async *#log(log: LogTables): AsyncGenerator<string> {
    yield* this.#table('events', (columns) => log.events(columns));
    yield* this.#table('streams', (columns) => [log.streams(columns)]);
  }

  async *#table(
    table: string,
    portions: (columns: Columns) => AsyncIterable<BackupRow[]> | Iterable<BackupRow[]>,
  ): AsyncGenerator<string> {
    const columns = await this.#columns(table);
    yield this.#linesText([{ table, columns }]);
    let written = 0;
    for await (const rows of portions(columns)) {
      written += rows.length;
      this.#written += rows.length;
      yield this.#linesText(rows);
      this.options.progress?.(this.#written);
    }
    this.#tables[table] = written;
    yield this.#linesText([{ end: table, rows: written }]);
  }

  async *#rows(table: string, key: string, columns: Columns): AsyncGenerator<BackupRow[]> {
    const texts = columns.map((column) => `${this.#valueOf(table, column)}::text`).join(', ');
    await this.client.query(
      `declare rows no scroll cursor for select ${texts} from throughline.${table} order by ${key}`,
    );
    for (let limit = 1; ;) {
      const text = `fetch ${limit} from rows`;
      const { rows } = await this.client.query<(string | null)[]>({ text, rowMode: 'array' });
      if (rows.length === 0) break;
      yield rows;
      limit = Math.min(maxRows, Math.ceil(portionCharacters / charactersOfOne(rows)));
    }
    await this.client.query('close rows');
  }

  /** A log with renumbered positions gets a new identity, so that it is not confused with the original. */
  #valueOf(table: string, { name }: Columns[number]): string {
    const { log } = this.options;
    return log && table === 'store_identity' && name === 'id' ? `'${log.newIdentity}'` : name;
  }

  async #header() {
    const { rows: migrations } = await this.client.query<{ name: string; checksum: string }>(
      'select name, checksum from throughline.migration_checksums order by name',
    );
    const { rows } = await this.client.query<{ id: string }>(
      'select id::text from throughline.store_identity',
    );
    const createdAt = this.options.now().toISOString();
    const storeIdentity = this.options.log?.identity ?? rows[0]?.id;
    return { format: formatName, formatVersion: 1, createdAt, storeIdentity, migrations };
  }

  async #columns(table: string): Promise<Columns> {
    const { rows } = await this.client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [`throughline.${table}`],
    );
    return rows;
  }

  #linesText(lines: readonly (object | BackupRow)[]): string {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    this.#hash.update(text);
    return text;
  }
}

function isLog(table: string): boolean {
  return table === 'events' || table === 'streams';
}

function charactersOfOne(rows: readonly BackupRow[]): number {
  const all = rows.flat().reduce((sum, text) => sum + (text?.length ?? 0), 1);
  return all / rows.length;
}
