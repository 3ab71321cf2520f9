import { type Kysely, sql } from 'kysely';

import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { createDatabase } from './create-database.js';
import { createPool } from './create-pool.js';
import { DatabaseUnavailableError } from './errors.js';
import { type Database } from './tables/database.js';

describe('the pool that queries go through', () => {
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

  it('says that the database does not answer, and gives up the connection, where a statement stays silent', async () => {
    const before = await backend();
    const silent = sql`select pg_sleep(${20})`.execute(db);
    await expect(silent).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await backend()).not.toBe(before);
  });

  it('says so too where the connection is lost in the middle', async () => {
    const victim = await backend();
    const lost = db.transaction().execute(async (trx) => {
      await database.pool.query('select pg_terminate_backend($1)', [victim]);
      await sql`select ${1}::int`.execute(trx);
    });
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(backend()).resolves.toBeGreaterThan(0);
  });

  it('leaves errors of the statement as they are', async () => {
    await expect(sql`select 1 / ${0}::int`.execute(db)).rejects.toMatchObject({ code: '22012' });
  });

  async function backend(): Promise<number> {
    const { rows } = await sql<{
      pid: number;
    }>`select pg_backend_pid() as pid where ${true}`.execute(db);
    return rows[0]?.pid ?? 0;
  }
});
