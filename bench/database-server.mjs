import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { connect } from './connections.mjs';

/** The settings of the embedded server for users, with connections for all contenders. */
const settings = { max_connections: 300 };
const safe = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const told = ['wal_sync_method', 'shared_buffers', 'max_wal_size', 'server_version'];

/**
 * The embedded PostgreSQL in a temporary directory. Each contender gets a separate database. `more` has further
 * settings.
 */
export async function openServer({ launchCluster, stopPostmaster }, more = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-bench-'));
  // If root runs the benchmark, the server runs as another user.
  if (process.getuid?.() === 0) await chmod(directory, 0o711);
  const cluster = await launchCluster(directory, { ...settings, ...more });
  const close = async () => {
    await stopPostmaster(cluster.process.pid);
    await rm(directory, { recursive: true, force: true });
  };
  const ask = (text) => askOnce(cluster.connectionString('postgres'), text);
  try {
    return {
      directory,
      postmaster: cluster.process.pid,
      close,
      facts: await readSettings(ask),
      ask,
      createDatabase: makerOf(cluster, ask),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The rows of one statement on a new connection. */
export async function askOnce(connectionString, text) {
  const client = await connect(connectionString);
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Bytes on disk of the given tables, by default of all, with their indexes and overflow. */
export async function tableBytes(connectionString) {
  return askOnce(
    connectionString,
    `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
     where relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
  );
}

function makerOf(cluster, ask) {
  return async (name) => {
    await ask(`create database ${name}`);
    return cluster.connectionString(name);
  };
}

async function readSettings(ask) {
  const names = [...Object.keys(safe), ...told].map((name) => `'${name}'`).join(', ');
  const rows = await ask(`select name, setting, unit from pg_settings where name in (${names})`);
  const facts = Object.fromEntries(
    rows.map(({ name, setting, unit }) => [name, `${setting}${unit ? ` x ${unit}` : ''}`]),
  );
  for (const [name, value] of Object.entries(safe))
    if (facts[name] !== value)
      throw new Error(`${name} is ${facts[name]}: nothing durable to measure`);
  return facts;
}
