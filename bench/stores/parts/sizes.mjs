import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { askOnce } from '../../database-server.mjs';
import { Databases } from '../../projections/databases.mjs';
import { fillDatabase } from '../../projections/parts/filled-log.mjs';
import { catchUp } from '../../projections/parts/our-projection.mjs';

const launcher = join(import.meta.dirname, '../../..', 'apps/cli/bin/throughline.mjs');
const log = new Set(['events', 'streams']);

const relations = `
  select relname as name, pg_indexes_size(oid)::float8 as indexes,
    (pg_table_size(oid))::float8 as rows
  from pg_class
  where relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`;

/** (c) The size of the work of agents: rows and indexes of log and read models, and the backup file. */
export async function measureSizes(given) {
  const databases = new Databases(given.server);
  const database = await databases.create('sizes');
  const filled = await fillDatabase({ ...given, databases }, database);
  const before = await sumsOf(database);
  await catchUp(given, database);
  await databases.settle(database);
  const after = await sumsOf(database);
  const parts = {
    'log, rows': before.log.rows,
    'log, indexes': before.log.indexes,
    'read models, rows': after.readModels.rows - before.readModels.rows,
    'read models, indexes': after.readModels.indexes - before.readModels.indexes,
    'backup file': await backUp(database),
  };
  return { ...filled, parts };
}

async function sumsOf(connectionString) {
  const tables = await askOnce(connectionString, relations);
  const sum = (isIn, part) =>
    tables.filter(({ name }) => log.has(name) === isIn).reduce((total, t) => total + t[part], 0);
  const both = (isIn) => ({ rows: sum(isIn, 'rows'), indexes: sum(isIn, 'indexes') });
  return { log: both(true), readModels: both(false) };
}

async function backUp(connectionString) {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-bench-backup-'));
  try {
    const child = spawn(process.execPath, [launcher, 'backup', 'log.backup'], {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        THROUGHLINE_DATA_DIR: directory,
        DATABASE_URL: connectionString,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`throughline backup ended with ${code}`);
    return (await stat(join(directory, 'log.backup'))).size;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
