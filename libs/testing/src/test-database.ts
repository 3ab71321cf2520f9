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

/** A real PostgreSQL of one test file. */
export type TestServer = {
  readonly pid: number;
  readonly dataDirectory: string;
  connectionString(database: string): string;
  close(): Promise<void>;
};

/** A database of its own, migrated to the latest version. It goes away with its server. */
export type TestDatabase = {
  readonly name: string;
  readonly connectionString: string;
  readonly pool: pg.Pool;
  readonly db: Kysely<Database>;
  close(): Promise<void>;
};

const maintenance = 'postgres';

/** Each database of a test means checkpoints, behind which the log takes whole pages: compressing them costs more. */
const standard: ServerSettings = { shared_buffers: '32MB', wal_compression: 'off' };

/**
 * Starts a server in a temporary directory. `close` it in `afterAll`; should the test process die first, a watchdog
 * stops it and removes the directory.
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

/** The server runs on a cluster that `placeCluster` has placed, and nobody is connected to its own database. */
export async function openTestDatabase(server: TestServer): Promise<TestDatabase> {
  const database = await copyDatabase(server, databaseName);
  await sql.raw(newIdentity).execute(database.db);
  return database;
}

/**
 * With all that the original of the same server held when it was closed, and with its identity. What a test begins with
 * is written once for a suite.
 */
export function copyTestDatabase(
  server: TestServer,
  original: TestDatabase,
): Promise<TestDatabase> {
  return copyDatabase(server, original.name);
}

/** An empty one, for tests of the migrations themselves; returns its connection string. */
export async function createEmptyDatabase(server: TestServer): Promise<string> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await runMaintenance(server, `create database ${name}`);
  return server.connectionString(name);
}

/** One SQL text as superuser in the database `postgres`. */
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
  // Through the log, as PostgreSQL copies by itself, it takes twice the processor time.
  await runMaintenance(server, `create database ${name} template ${template} strategy file_copy`);
  const connectionString = server.connectionString(name);
  const pool = createPool({ connectionString, applicationName: 'test' });
  const db = createDatabase(pool);
  return { name, connectionString, pool, db, close: () => db.destroy() };
}
