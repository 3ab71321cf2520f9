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
 * Makes the cluster if there is none. It is made aside and renamed, so a start that is killed half way leaves nothing
 * that looks like a cluster.
 */
export async function initializeCluster(installation: Installation): Promise<void> {
  const { files, binaries, account } = installation;
  const madeBy = await readClusterVersion(files);
  if (madeBy === binaries.majorVersion) return;
  if (madeBy !== undefined)
    throw new DataDirectoryVersionError(files.dataDirectory, madeBy, binaries.majorVersion);
  const passwordFile = join(files.dataDirectory, 'postgres.password.new');
  await removeDrafts(files);
  // Of its own name: what a killed start began may still be writing.
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

/** The password lives beside the cluster, readable only to who starts the server. */
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

/** One that an interrupted start left behind is as good as a new one. */
async function findPassword(files: ClusterFiles): Promise<string> {
  const left = (await orIfMissing(readFile(files.password, 'utf8'), '')).trim();
  if (left !== '') return left;
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
    // The same order and case rules on every machine, whatever its locales.
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
