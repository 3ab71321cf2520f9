import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { DatabaseStartError, DataDirectoryVersionError } from '../errors.js';
import { type ClusterFiles } from './cluster-files.js';
import { orIfMissing } from './error-code.js';
import { type PostgresBinaries } from './postgres-binaries.js';
import { type ServerAccount } from './server-account.js';
import { explainFailure } from './start-failure.js';

export type Installation = {
  readonly files: ClusterFiles;
  readonly binaries: PostgresBinaries;
  readonly account: ServerAccount;
};

export const superuser = 'throughline';

/**
 * Creates the cluster if there is none. It is created under another name and renamed, so that an interrupted start
 * leaves nothing that looks like a cluster.
 */
export async function initializeCluster(installation: Installation): Promise<void> {
  const { files, binaries, account } = installation;
  const clusterVersion = await readClusterVersion(files);
  if (clusterVersion === binaries.majorVersion) return;
  if (clusterVersion !== undefined)
    throw new DataDirectoryVersionError(files.dataDirectory, clusterVersion, binaries.majorVersion);
  const passwordFile = join(files.dataDirectory, 'postgres.password.new');
  await removeDrafts(files);
  // Each draft has a unique name, since an interrupted start may still be writing its own.
  const draft = await mkdtemp(draftPrefix(files));
  await account.own(draft);
  const password = await findPassword(files);
  await writeFile(passwordFile, password, { mode: 0o600 });
  await account.own(passwordFile);
  try {
    await runInitdb(draft, passwordFile, installation);
    await rename(draft, files.cluster);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/** The password is stored next to the cluster, readable only by the user who starts the server. */
export async function readPassword(files: ClusterFiles): Promise<string> {
  try {
    return (await readFile(files.password, 'utf8')).trim();
  } catch (cause) {
    throw new DatabaseStartError(
      `The password of the embedded PostgreSQL cannot be read from ${files.password}: put that file back from a backup of the data directory.`,
      { cause },
    );
  }
}

function draftPrefix({ cluster }: ClusterFiles): string {
  return `${cluster}.new-`;
}

async function removeDrafts(files: ClusterFiles): Promise<void> {
  const prefix = basename(draftPrefix(files));
  const drafts = (await readdir(files.dataDirectory)).filter((name) => name.startsWith(prefix));
  for (const name of drafts)
    await rm(join(files.dataDirectory, name), { recursive: true, force: true, maxRetries: 5 });
}

async function readClusterVersion({ cluster }: ClusterFiles): Promise<string | undefined> {
  return (await orIfMissing(readFile(join(cluster, 'PG_VERSION'), 'utf8'), undefined))?.trim();
}

/** Reuses the password of an interrupted start if there is one. */
async function findPassword(files: ClusterFiles): Promise<string> {
  const existing = (await orIfMissing(readFile(files.password, 'utf8'), '')).trim();
  if (existing !== '') return existing;
  const password = randomBytes(24).toString('hex');
  await writeFile(files.password, `${password}\n`, { mode: 0o600 });
  return password;
}

async function runInitdb(
  cluster: string,
  passwordFile: string,
  { files, binaries, account }: Installation,
): Promise<void> {
  const { file, args, options } = account.command(binaries.initdb, [
    `--pgdata=${cluster}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order and case rules on every machine, regardless of its locales.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ]);
  const child = spawn(file, args, {
    ...options,
    cwd: cluster,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw explainFailure(Buffer.concat(output).toString(), files.dataDirectory);
}
