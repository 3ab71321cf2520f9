import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Kysely, sql } from 'kysely';

import { createEmptyDatabase, openTestServer, startProgram, type TestServer } from '#testing';

import { createDatabase } from '../create-database.js';
import { createPool } from '../create-pool.js';
import { type Database } from '../tables/database.js';
import { migrateToLatest } from './migrate-to-latest.js';
import { loadMigrations, migrationsFolder } from './migration-source.js';

describe('migrateToLatest', () => {
  let server: TestServer;
  let connectionString: string;
  let db: Kysely<Database>;
  let folder: string;

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    connectionString = await createEmptyDatabase(server);
    db = createDatabase(createPool({ connectionString, applicationName: 'migrate', max: 2 }));
    folder = await mkdtemp(join(tmpdir(), 'throughline-migrations-'));
  });
  afterEach(async () => {
    await db.destroy();
    await rm(folder, { recursive: true });
  });

  it('runs missing migrations, and none the second time', async () => {
    const known = await loadMigrations(migrationsFolder);
    expect(await migrateToLatest(db)).toEqual(known.map(({ name }) => name));
    expect(await migrateToLatest(db)).toEqual([]);
  });

  it('works with a pool of one connection', async () => {
    const single = createDatabase(createPool({ connectionString, applicationName: 'one', max: 1 }));
    await expect(migrateToLatest(single)).resolves.not.toEqual([]);
    await single.destroy();
  });

  it('runs once for two processes that start concurrently', async () => {
    const programs = [1, 2].map(() => startProgram('migrate', connectionString));
    await Promise.all(programs.map((program) => program.next('waiting')));
    for (const program of programs) program.send('go');
    const answers = await Promise.all(programs.map((program) => program.next('ran')));
    expect(await Promise.all(programs.map(({ exitCode }) => exitCode))).toEqual([0, 0]);
    const ran = answers.map((answer) => Object(answer.ran).length);
    expect(Math.min(...ran)).toBe(0);
    expect(Math.max(...ran)).toBe((await loadMigrations(migrationsFolder)).length);
    expect(await migrateToLatest(db)).toEqual([]);
  });

  it('rejects a database that a newer version has changed', async () => {
    await write({ '20250101T0000_first': 'select 1', '20250102T0000_second': 'select 2' });
    await migrateToLatest(db, { folder });
    await rm(join(folder, '20250102T0000_second.ts'));
    await expect(migrateToLatest(db, { folder })).rejects.toThrow(
      expect.objectContaining({
        code: 'database-newer',
        message: expect.stringContaining('20250102T0000_second'),
      }),
    );
  });

  it('rejects a database that ran another text of a migration', async () => {
    await write({ '20250101T0000_first': 'select 1' });
    await migrateToLatest(db, { folder });
    await write({ '20250101T0000_first': 'select 1' }, 'another checksum');
    await expect(migrateToLatest(db, { folder })).rejects.toThrow(
      expect.objectContaining({ code: 'migration-changed' }),
    );
  });

  it('rejects a migration without a checksum', async () => {
    await write({ '20250101T0000_first': 'select 1' });
    await writeFile(join(folder, 'checksums.json'), '{}');
    await expect(migrateToLatest(db, { folder })).rejects.toThrow(
      expect.objectContaining({ code: 'migration-without-checksum' }),
    );
  });

  it('changes nothing when one of several migrations fails', async () => {
    await write({
      '20250101T0000_first': 'create table throughline.first ()',
      '20250102T0000_second': 'select * from nowhere',
    });
    await expect(migrateToLatest(db, { folder })).rejects.toThrow(
      expect.objectContaining({
        code: 'migration-failed',
        message: expect.stringMatching(/20250102T0000_second.*"nowhere"/),
      }),
    );
    const { rows } = await sql`select from pg_namespace where nspname = 'throughline'`.execute(db);
    expect(rows).toEqual([]);
  });

  async function write(migrations: Record<string, string>, checksum = 'a checksum'): Promise<void> {
    const names = Object.keys(migrations);
    for (const name of names) await writeFile(join(folder, `${name}.ts`), source(migrations[name]));
    const checksums = Object.fromEntries(names.map((name) => [`${name}.ts`, checksum]));
    await writeFile(join(folder, 'checksums.json'), JSON.stringify(checksums));
  }
});

/** Outside the project kysely cannot be imported, so that the query is built by hand. */
function source(text: string | undefined): string {
  return `export async function up(db) { await db.executeQuery({ sql: ${JSON.stringify(text)}, parameters: [], query: { kind: 'RawNode' }, queryId: { queryId: 'x' } }); }`;
}
