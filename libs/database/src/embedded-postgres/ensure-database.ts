import pg from 'pg';

import { DatabaseStartError } from '../errors.js';

/** Creates the database if it is missing. Also verifies the password. `name` is a plain identifier. */
export async function ensureDatabase(connectionString: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  // Without a listener, a lost connection would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DatabaseStartError(`The embedded PostgreSQL cannot be used: ${reason}.`, { cause });
  } finally {
    await client.end();
  }
}
