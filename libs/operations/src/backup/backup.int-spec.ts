import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

import { sql } from 'kysely';

import { WorkflowStore } from '#application';
import { createDatabase, createPool } from '#database';
import { PostgresEventStore } from '#event-store-postgres';
import { Projector } from '#read-models';
import {
  HistoryWriter,
  type TestDatabase,
  type TestDirectory,
  type TestServer,
  createEmptyDatabase,
  did,
  makeTestDirectory,
  openTestDatabase,
  openTestServer,
  waitForProjector,
  waitFor,
} from '#testing';
import { readWorkflow } from '#workflow';

import { backedUpTables, rebuildableTables } from './backed-up-tables.js';
import { BackupFileError } from './backup-format.js';
import { BrokenChainError, DatabaseNotEmptyError, restoreBackup } from './restore-backup.js';
import { writeBackup } from './write-backup.js';

const oddText = 'NUL \\u0000, "quotes", back\\slash, line\nbreak, \u2028, é😀';
const texts = (contextId: string) => [
  did('ContextCreated', { title: contextId }),
  did('StepOutputAdded', { stepId: 's', output: { oddText, lone: '\ud800', nul: '\0' } }),
];

describe('a backup', () => {
  let server: TestServer;
  let source: TestDatabase;
  let store: PostgresEventStore;
  let history: HistoryWriter;
  let directory: TestDirectory;
  let file: string;
  let ends: (() => Promise<unknown>)[];

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    source = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: source.pool });
    history = new HistoryWriter(store);
    directory = await makeTestDirectory();
    file = join(directory.directory, 'test.backup');
    ends = [];
    for (const contextId of ['a', 'b', 'c']) await history.append(contextId, ...texts(contextId));
    await sql`insert into throughline.server_secrets (name, value) values ('s', '\\xdeadbeef')`.execute(
      source.db,
    );
    const definition = { id: 'w', steps: [{ id: 's', type: 'agent', agent: 'ada' }] };
    const report = readWorkflow(definition);
    if (!report.definition) throw new Error('the definition has errors');
    const publication = { definition: report.definition, value: definition, by: 'ada' };
    await new WorkflowStore(source.db).publish('default', publication);
  });

  afterEach(async () => {
    for (const end of ends.toReversed()) await end();
    await store.close();
    await source.close();
    await directory.remove();
  });

  const back = async () => {
    const client = await source.pool.connect();
    try {
      return await writeBackup(client, file, { now: () => new Date() });
    } finally {
      client.release();
    }
  };
  const emptyDatabase = async () => {
    const connectionString = await createEmptyDatabase(server);
    const pool = createPool({ connectionString, applicationName: 'restore', max: 4 });
    ends.push(() => pool.end());
    return pool;
  };
  const rowsOf = async (pool: TestDatabase['pool'], table: string) => {
    const { rows } = await pool.query<{ row: string }>(
      `select t::text as row from throughline.${table} t`,
    );
    return rows.map(({ row }) => row).toSorted();
  };
  /** Changes lines of the backup and compresses it again, without a new checksum. */
  const altered = async (change: (lines: string[]) => string[]) => {
    const lines = zstdDecompressSync(await readFile(file))
      .toString()
      .split('\n');
    await writeFile(file, zstdCompressSync(change(lines).join('\n')));
  };

  it('restores the same rows into another database, and appends continue after them', async () => {
    const written = await back();
    expect(written.tables).toMatchObject({ events: 6, streams: 3, server_secrets: 1 });
    expect(written.tables).toMatchObject({ workflow_versions: 1, workflow_publications: 1 });
    const pool = await emptyDatabase();
    const restored = await restoreBackup(pool, file);
    expect(restored).toMatchObject({ rows: written.rows, streams: 3, events: 6 });
    for (const { table } of backedUpTables)
      expect(await rowsOf(pool, table)).toEqual(await rowsOf(source.pool, table));

    const copy = new PostgresEventStore({ pool });
    ends.push(() => copy.close());
    expect(await copy.head()).toBe(await store.head());
    const [next, sameNext] = [copy, store].map((each) => new HistoryWriter(each));
    await next?.append('d', ...texts('d'));
    await sameNext?.append('d', ...texts('d'));
    expect(await copy.head()).toBe(await store.head());
    expect(await rowsOf(pool, 'streams')).toEqual(await rowsOf(source.pool, 'streams'));
    const projector = new Projector(createDatabase(pool), copy);
    projector.start();
    ends.push(() => projector.stop());
    await waitForProjector(projector);
    expect(await rowsOf(pool, 'contexts')).toHaveLength(4);
  });

  it('is a consistent snapshot: everything acknowledged before it, and only complete appends', async () => {
    let stop = false;
    let acknowledged = 0;
    const writers = ['w-1', 'w-2', 'w-3'].map(async (contextId) => {
      const mine = new HistoryWriter(store);
      await mine.append(contextId, ...texts(contextId));
      while (!stop) {
        await mine.append(contextId, ...texts(contextId).slice(1), ...texts(contextId).slice(1));
        acknowledged += 2;
      }
    });
    const before = await waitFor('40 acknowledged events', () => acknowledged, {
      until: (count) => count >= 40,
    });
    const { tables } = await back().finally(() => (stop = true));
    await Promise.all(writers);
    const restored = await restoreBackup(await emptyDatabase(), file);
    expect(restored.events).toBe(tables['events']);
    expect(restored.events).toBeGreaterThanOrEqual(before + 12);
    // Every append has two events, so a partial append would make the number odd.
    expect(restored.events % 2).toBe(0);
  });

  it('is restored into a database that was only migrated, and refused by one that is in use', async () => {
    await back();
    const used = await openTestDatabase(server);
    ends.push(() => used.close());
    const other = new PostgresEventStore({ pool: used.pool });
    ends.push(() => other.close());
    await expect(restoreBackup(used.pool, file)).resolves.toMatchObject({ events: 6 });
    await expect(restoreBackup(used.pool, file)).rejects.toThrow(DatabaseNotEmptyError);
    expect(await rowsOf(used.pool, 'events')).toHaveLength(6);
  });

  it.each([
    ['truncated between lines', (lines: string[]) => [...lines.slice(0, -2), '']],
    ['truncated within a line', (lines: string[]) => [...lines.slice(0, -2), '{"complete":t']],
    [
      'with another SHA-256',
      (lines: string[]) => lines.map((line) => line.replace('tester', 'other!')),
    ],
    ['without a row', (lines: string[]) => lines.filter((_, at) => at !== 4)],
    ['in another format', (lines: string[]) => ['{"format":"other"}', ...lines.slice(1)]],
    ['followed by more', (lines: string[]) => [...lines.slice(0, -1), '[]', '']],
  ])('%s is refused before anything is written', async (_, change) => {
    await back();
    await altered(change);
    const pool = await emptyDatabase();
    await expect(restoreBackup(pool, file)).rejects.toThrow(BackupFileError);
    const { rows } = await pool.query(`select from pg_namespace where nspname = 'throughline'`);
    expect(rows).toEqual([]);
  });

  it('with truncated or foreign compressed bytes is refused', async () => {
    await back();
    const bytes = await readFile(file);
    const pool = await emptyDatabase();
    for (const damaged of [
      bytes.subarray(0, bytes.length / 2),
      Buffer.from('no backup'),
      Buffer.alloc(0),
    ]) {
      await writeFile(file, damaged);
      await expect(restoreBackup(pool, file)).rejects.toThrow(BackupFileError);
    }
    await rm(file);
    await expect(restoreBackup(pool, file)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('of a newer version is refused, with the names of its migrations', async () => {
    await source.pool.query(
      `insert into throughline.migration_checksums (name, checksum) values ('20990101T0000_later', $1)`,
      ['0'.repeat(64)],
    );
    await back();
    await expect(restoreBackup(await emptyDatabase(), file)).rejects.toThrow('20990101T0000_later');
  });

  it('of a modified log is reported as broken by the restore', async () => {
    await source.pool.query(`
      begin; set local session_replication_role = replica;
      update throughline.events set data = replace(data, '"title":"b"', '"title":"x"');
      commit`);
    await back();
    const refusal = restoreBackup(await emptyDatabase(), file);
    await expect(refusal).rejects.toThrow(BrokenChainError);
    await expect(refusal).rejects.toThrow('context-default:b is broken at version 1');
  });

  it('leaves no file if it fails', async () => {
    await source.pool.query('alter table throughline.create_claims rename to claims');
    await expect(back()).rejects.toThrow('create_claims');
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readFile(`${file}.partial`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('lists every table as either backed up or rebuildable', async () => {
    const { rows } = await source.pool.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'throughline'`,
    );
    const known = [...backedUpTables.map(({ table }) => table), ...rebuildableTables];
    expect(rows.map(({ tablename }) => tablename).toSorted()).toEqual(known.toSorted());
  });
});
