import { mkdir } from 'node:fs/promises';

import { type ClusterFiles, clusterFilesIn } from './cluster-files.js';
import { embeddedConnectionString } from './connection-string.js';
import { initializeCluster, readPassword } from './initialize-cluster.js';
import { findPostgresBinaries } from './postgres-binaries.js';
import { type PostgresProcess, spawnPostgres } from './postgres-process.js';
import { chooseServerAccount } from './server-account.js';
import { type ServerSettings } from './server-settings.js';
import { explainError } from './start-failure.js';

export type LaunchedCluster = {
  readonly process: PostgresProcess;
  connectionString(database: string): string;
  /** Starts a server that has ended again, on the same port. */
  relaunch(): Promise<PostgresProcess>;
};

/**
 * Makes the cluster if needed and starts the server: no lock, no supervision. Whoever calls sees to it that only one
 * process does, and stops it.
 *
 * @throws StartupError in one sentence when the disk, the directory or the server does not permit it
 */
export async function launchCluster(
  dataDirectory: string,
  settings: ServerSettings = {},
): Promise<LaunchedCluster> {
  const files = clusterFilesIn(dataDirectory);
  try {
    await makeDataDirectory(files);
    return await launch(files, settings);
  } catch (error) {
    throw explainError(error, files.dataDirectory);
  }
}

/** Where root starts it, the server runs as another user, who has to reach the cluster inside. */
export async function makeDataDirectory({ dataDirectory }: ClusterFiles): Promise<void> {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  await mkdir(dataDirectory, { recursive: true, mode });
}

async function launch(files: ClusterFiles, settings: ServerSettings): Promise<LaunchedCluster> {
  const binaries = await findPostgresBinaries();
  const account = await chooseServerAccount(binaries, files.cluster);
  await initializeCluster({ files, binaries, account });
  const password = await readPassword(files);
  const options = { files, binaries, account, settings };
  const first = await spawnPostgres(options);
  return {
    process: first,
    connectionString: (database) => embeddedConnectionString(first.port, password, database),
    relaunch: () => spawnPostgres({ ...options, port: first.port }),
  };
}
