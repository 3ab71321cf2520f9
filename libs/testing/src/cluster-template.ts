import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import {
  createDatabase,
  createPool,
  databaseName,
  launchCluster,
  migrateToLatest,
  stopPostmaster,
} from '#database';

import { runInSingleUserMode } from './single-user-postgres.js';
import { makeTestDirectory } from './test-directory.js';

const run = promisify(execFile);

const root = fileURLToPath(new URL('../../../', import.meta.url));
const shelf = join(root, 'node_modules', '.cache', 'throughline', 'clusters');
/** The sources that determine the content of the cluster. */
const sources = ['libs/database/src/embedded-postgres', 'migrations'];
const parts = ['postgres', 'postgres.password'];
const maxAgeMs = 24 * 3_600_000;

/** Gives a copy of the store a new identity and a new epoch, like the migration of an empty database. */
export const newIdentity =
  'with renewed as (update throughline.store_epoch set epoch = gen_random_uuid()::text) update throughline.store_identity set id = gen_random_uuid()';

/**
 * Puts a stopped cluster into a data directory that is empty or does not exist. Creating a cluster takes seconds of
 * processor time; copying one does not. The cluster contains the migrated database of a server with a new identity,
 * which makes a start a third faster. The original is created once, stored next to the installed packages, and created
 * again if its sources change. All copies have the same password. A killed server that starts again on its port has
 * databases with unique names, so no test reaches the server of another.
 */
export async function placeCluster(dataDirectory: string): Promise<void> {
  const template = await prepareCluster();
  await mkdir(dataDirectory, { recursive: true, mode: 0o711 });
  // Not with Node: the owner matters, and PostgreSQL runs as a different user if root runs the tests.
  await run('cp', ['-a', ...parts.map((part) => join(template, part)), dataDirectory]);
  await runInSingleUserMode(join(dataDirectory, 'postgres'), databaseName, newIdentity);
}

/** Creates the template that `placeCluster` copies, unless it exists, and returns its path. */
export async function prepareCluster(): Promise<string> {
  const template = join(shelf, await nameTemplate());
  const exists = await access(template).then(
    () => true,
    () => false,
  );
  if (!exists) await makeTemplate(template);
  return template;
}

async function nameTemplate(): Promise<string> {
  const hash = createHash('sha256').update(`${process.getuid?.()} `);
  for (const folder of sources)
    for (const name of (await readdir(join(root, folder))).sort())
      if (!name.includes('spec.')) hash.update(await readFile(join(root, folder, name)));
  return hash
    .update(await readFile(fileURLToPath(import.meta.url)))
    .update(await readFile(join(root, 'package.json')))
    .digest('hex')
    .slice(0, 16);
}

/** Several processes may create it at once: each works in a separate directory, and the first finished one is used. */
async function makeTemplate(template: string): Promise<void> {
  await mkdir(shelf, { recursive: true });
  await removeOld();
  const draft = await mkdtemp(`${template}.new-`);
  const { directory, remove } = await makeTestDirectory();
  try {
    await makeCluster(directory);
    await run('cp', ['-a', ...parts.map((part) => join(directory, part)), draft]);
    await rename(draft, template).catch(async (error: unknown) => {
      await access(template).catch(() => Promise.reject(error));
    });
  } finally {
    await remove();
    await rm(draft, { recursive: true, force: true });
  }
}

async function makeCluster(directory: string): Promise<void> {
  const cluster = await launchCluster(directory);
  await migrate(cluster.connectionString);
  await stopPostmaster(cluster.process.pid);
}

async function migrate(connectionString: (database: string) => string): Promise<void> {
  const options = { applicationName: 'template', max: 1 };
  const pool = createPool({ connectionString: connectionString('postgres'), ...options });
  await pool.query(`create database ${databaseName}`);
  // This database would be a fifth of the files to copy, and nothing here uses it.
  await pool.query("update pg_database set datistemplate = false where datname = 'template0'");
  await pool.query('drop database template0');
  await pool.end();
  const migrated = createPool({ connectionString: connectionString(databaseName), ...options });
  const db = createDatabase(migrated, Number.POSITIVE_INFINITY);
  await migrateToLatest(db);
  await db.destroy();
}

/** Removes drafts of killed processes and templates that are a day old: no run is still copying those. */
async function removeOld(): Promise<void> {
  for (const name of await readdir(shelf)) {
    const { mtimeMs } = await stat(join(shelf, name));
    if (Date.now() - mtimeMs > maxAgeMs)
      await rm(join(shelf, name), { recursive: true, force: true });
  }
}
