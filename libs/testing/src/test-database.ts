import { randomBytes } from 'node:crypto';

import { type Kysely, sql } from 'kysely';
import type pg from 'pg';

import {
  createDatabase,
  createPool,
  type Database,
  databaseName,
  launchCluster,
  type ServerSettings,
} from '#database';

import { newIdentity, placeCluster } from './cluster-template.js';
import { makeTestDirectory } from './test-directory.js';

/** A real PostgreSQL server of one test file. */
export type TestServer = {
  readonly pid: number;
  readonly dataDirectory: string;
  connectionString(database: string): string;
  close(): Promise<void>;
};

/** A separate database, migrated to the latest version. It is deleted with its server. */
export type TestDatabase = {
  readonly name: string;
  readonly connectionString: string;
  readonly pool: pg.Pool;
  readonly db: Kysely<Database>;
  close(): Promise<void>;
};

const maintenance = 'postgres';

/** Each test database causes checkpoints, after which the log records whole pages: compressing them takes more time. */
const standard: ServerSettings = { shared_buffers: '32MB', wal_compression: 'off' };

/**
 * Starts a server in a temporary directory. `close` it in `afterAll`. If the test process dies first, a watchdog stops
 * the server and removes the directory.
 */
export async function openTestServer(settings: ServerSettings = {}): Promise<TestServer> {
  const { directory, remove } = await makeTestDirectory();
  await placeCluster(directory);
  const cluster = await launchCluster(directory, { ...standard, ...settings });
  return {
    pid: cluster.process.pid,
    dataDirectory: directory,
    connectionString: cluster.connectionString,
    close: remove,
  };
}

/** The server runs on a cluster from `placeCluster`, and no client is connected to the database of the template. */
export async function openTestDatabase(server: TestServer): Promise<TestDatabase> {
  const database = await copyDatabase(server, databaseName);
  await sql.raw(newIdentity).execute(database.db);
  return database;
}

/**
 * A copy of a database of the same server, with its content at the time it was closed and with its identity. A suite
 * can thus write its initial data once.
 */
export function copyTestDatabase(
  server: TestServer,
  original: TestDatabase,
): Promise<TestDatabase> {
  return copyDatabase(server, original.name);
}

/** An empty database, for tests of the migrations themselves; returns its connection string. */
export async function createEmptyDatabase(server: TestServer): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await runMaintenance(server, `create database ${name}`);
  return server.connectionString(name);
}

/** Runs one SQL text as superuser in the database `postgres`. */
export async function runMaintenance(server: TestServer, text: string): Promise<pg.QueryResult> {
  const connectionString = server.connectionString(maintenance);
  const pool = createPool({ connectionString, applicationName: 'maintenance', max: 1 });
  try {
    return await pool.query(text);
  } finally {
    await pool.end();
  }
}

async function copyDatabase(server: TestServer, template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // With the default strategy of PostgreSQL, which copies through the log, this takes twice the processor time.
  await runMaintenance(server, `create database ${name} template ${template} strategy file_copy`);
  const connectionString = server.connectionString(name);
  const pool = createPool({ connectionString, applicationName: 'test' });
  const db = createDatabase(pool);
  return { name, connectionString, pool, db, close: () => db.destroy() };
}
