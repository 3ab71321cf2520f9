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

type Told = Readonly<{ now: () => Date; progress?: ((rows: number) => void) | undefined }>;

/** Rows are fetched so many at a time that they come to about this. */
const portionBytes = 4 * 1_048_576;
const mostRows = 2_000;

/**
 * Writes everything that is not rebuildable to `file`, as one moment of the database while it is written to; memory
 * does not grow with it. The file is there when it is complete, or not at all; only its owner may read it.
 */
export async function writeBackup(
  client: PoolClient,
  file: string,
  told: Told,
): Promise<BackupCounts> {
  const partial = `${file}.partial`;
  const lines = new BackupLines(client, told);
  try {
    await client.query('begin isolation level repeatable read, read only');
    await pipeline(
      Readable.from(lines.chunks()),
      createZstdCompress(),
      createWriteStream(partial, { mode: 0o600 }),
    );
    await client.query('commit');
    await rename(partial, file);
    return lines.counts();
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** The text of a backup, a table after the other. */
class BackupLines {
  readonly #hash = createHash('sha256');
  readonly #tables: Record<string, number> = {};
  #rows = 0;

  constructor(
    private readonly client: PoolClient,
    private readonly told: Told,
  ) {}

  counts(): BackupCounts {
    return { rows: this.#rows, tables: this.#tables };
  }

  async *chunks(): AsyncGenerator<string> {
    yield this.#kept([await this.#header()]);
    for (const { table, key } of backedUpTables) yield* this.#table(table, key);
    const sha256 = this.#hash.digest('hex');
    yield `${JSON.stringify({ complete: true, rows: this.#rows, sha256 })}\n`;
  }

  async *#table(table: string, key: string): AsyncGenerator<string> {
    const columns = await this.#columns(table);
    yield this.#kept([{ table, columns }]);
    const texts = columns.map(({ name }) => `${name}::text`).join(', ');
    await this.client.query(
      `declare rows no scroll cursor for select ${texts} from throughline.${table} order by ${key}`,
    );
    let written = 0;
    for (let limit = 1; ;) {
      const text = `fetch ${limit} from rows`;
      const { rows } = await this.client.query<(string | null)[]>({ text, rowMode: 'array' });
      if (rows.length === 0) break;
      written += rows.length;
      this.#rows += rows.length;
      const chunk = this.#kept(rows);
      yield chunk;
      this.told.progress?.(this.#rows);
      limit = Math.min(mostRows, Math.ceil((portionBytes * rows.length) / chunk.length));
    }
    await this.client.query('close rows');
    this.#tables[table] = written;
    yield this.#kept([{ end: table, rows: written }]);
  }

  async #header() {
    const { rows: migrations } = await this.client.query<{ name: string; checksum: string }>(
      'select name, checksum from throughline.migration_checksums order by name',
    );
    const { rows } = await this.client.query<{ id: string }>(
      'select id::text from throughline.store_identity',
    );
    const createdAt = this.told.now().toISOString();
    const storeIdentity = rows[0]?.id;
    return { format: formatName, formatVersion: 1, createdAt, storeIdentity, migrations };
  }

  async #columns(table: string): Promise<BackupTable['columns']> {
    const { rows } = await this.client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [`throughline.${table}`],
    );
    return rows;
  }

  #kept(lines: readonly (object | BackupRow)[]): string {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    this.#hash.update(text);
    return text;
  }
}
