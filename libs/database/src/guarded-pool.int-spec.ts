import { type Kysely, sql } from 'kysely';

import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { createDatabase } from './create-database.js';
import { createPool } from './create-pool.js';
import { DatabaseUnavailableError } from './errors.js';
import { type Database } from './tables/database.js';

describe('guardPool', () => {
  let server: TestServer;
  let database: TestDatabase;
  let db: Kysely<Database>;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    const pool = createPool({
      connectionString: database.connectionString,
      applicationName: 'guarded',
      max: 1,
    });
    db = createDatabase(pool, 300);
  });

  afterAll(async () => {
    await db?.destroy();
    await database?.close();
    await server?.close();
  });

  it('throws DatabaseUnavailableError and closes the connection if a statement has no answer', async () => {
    const before = await backend();
    const silent = sql`select pg_sleep(${20})`.execute(db);
    await expect(silent).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await backend()).not.toBe(before);
  });

  it('throws DatabaseUnavailableError if the connection is lost during a transaction', async () => {
    const victim = await backend();
    const lost = db.transaction().execute(async (trx) => {
      await database.pool.query('select pg_terminate_backend($1)', [victim]);
      await sql`select ${1}::int`.execute(trx);
    });
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(backend()).resolves.toBeGreaterThan(0);
  });

  it('does not change errors of the statement', async () => {
    await expect(sql`select 1 / ${0}::int`.execute(db)).rejects.toMatchObject({ code: '22012' });
  });

  async function backend(): Promise<number> {
    const { rows } = await sql<{
      pid: number;
    }>`select pg_backend_pid() as pid where ${true}`.execute(db);
    return rows[0]?.pid ?? 0;
  }
});
