import { inspect } from 'node:util';
import { sql } from 'kysely';
import type pg from 'pg';

import { openTestServer, runMaintenance, type TestServer } from '#testing';

import { createDatabase } from './create-database.js';
import { createPool } from './create-pool.js';

describe('createPool', () => {
  let server: TestServer;
  let pool: pg.Pool;
  let errors: Error[];

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  beforeEach(() => {
    errors = [];
    pool = createPool({
      connectionString: server.connectionString('postgres'),
      applicationName: 'pool-spec',
      onError: (error) => errors.push(error),
    });
  });
  afterEach(() => pool.end());

  it('fails only the transaction whose backend is killed', async () => {
    const db = createDatabase(pool);
    const broken = db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await runMaintenance(server, `select pg_terminate_backend(${rows[0]?.pid})`);
      return sql`select 1`.execute(trx);
    });
    await expect(broken).rejects.toThrow();
    const { rows } = await sql`select 2 as two`.execute(db);
    expect(rows).toEqual([{ two: 2 }]);
  });

  it('reports an idle connection that is lost, without its password', async () => {
    const client = await pool.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    client.release();
    const reported = new Promise<void>((resolve) => pool.once('error', () => resolve()));
    await runMaintenance(server, `select pg_terminate_backend(${rows[0].pid})`);
    await reported;
    const password = new URL(server.connectionString('postgres')).password;
    expect(errors.length).toBeGreaterThan(0);
    expect(inspect(errors, { depth: 9 })).not.toContain(password);
  });

  it('opens sessions with limits for statements, locks and idle transactions', async () => {
    const { rows } = await pool.query(
      `select name, setting from pg_settings
       where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'application_name')
       order by name`,
    );
    expect(rows).toEqual([
      { name: 'application_name', setting: 'pool-spec' },
      { name: 'idle_in_transaction_session_timeout', setting: '30000' },
      { name: 'lock_timeout', setting: '10000' },
      { name: 'statement_timeout', setting: '30000' },
    ]);
  });

  it('does not change the parsers of other pools', async () => {
    const { default: driver } = await import('pg');
    const other = new driver.Pool({ connectionString: server.connectionString('postgres') });
    const ours = await pool.query('select 1::bigint as n');
    const theirs = await other.query('select 1::bigint as n');
    await other.end();
    expect([ours.rows[0].n, theirs.rows[0].n]).toEqual([1n, '1']);
  });
});
