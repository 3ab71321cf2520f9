import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { DataDirectoryVersionError } from '../errors.js';
import { type ClusterFiles } from './cluster-files.js';
import { type PostgresBinaries } from './postgres-binaries.js';
import { type ServerAccount } from './server-account.js';
import { explainFailure } from './start-failure.js';

export const superuser = 'throughline';

/**
 * Makes the cluster if there is none. It is made aside and renamed, so a start that is killed half way leaves nothing
 * that looks like a cluster.
 */
export async function initializeCluster(
  files: ClusterFiles,
  binaries: PostgresBinaries,
  account: ServerAccount,
): Promise<void> {
  const madeBy = await readClusterVersion(files);
  if (madeBy === binaries.majorVersion) return;
  if (madeBy !== undefined)
    throw new DataDirectoryVersionError(files.cluster, madeBy, binaries.majorVersion);
  const draft = `${files.cluster}.new`;
  const passwordFile = join(files.dataDirectory, 'postgres.password.new');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await account.own(draft);
  const password = await findPassword(files);
  await writeFile(passwordFile, password, { mode: 0o600 });
  await account.own(passwordFile);
  try {
    await runInitdb(draft, passwordFile, binaries, account);
    await rename(draft, files.cluster);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/** The password lives beside the cluster, readable only to who starts the server. */
export async function readPassword(files: ClusterFiles): Promise<string> {
  return (await readFile(files.password, 'utf8')).trim();
}

async function readClusterVersion({ cluster }: ClusterFiles): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** One that an interrupted start left behind is as good as a new one. */
async function findPassword(files: ClusterFiles): Promise<string> {
  const left = await readPassword(files).catch(() => '');
  if (left !== '') return left;
  const password = randomBytes(24).toString('hex');
  await writeFile(files.password, `${password}\n`, { mode: 0o600 });
  return password;
}

async function runInitdb(
  cluster: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  account: ServerAccount,
): Promise<void> {
  const { file, args, identity } = account.command(binaries.initdb, [
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
    ...identity,
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
  if (code !== 0) throw explainFailure(Buffer.concat(output).toString(), cluster);
}
