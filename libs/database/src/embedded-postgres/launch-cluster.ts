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
 * Creates the cluster if needed and starts the server, without lock or supervision. The caller must make sure that only
 * one process does so, and must stop the server.
 *
 * @throws StartupError in one sentence if the disk, the directory or the server prevents the start
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

/** If root starts it, the server runs as another user, who needs access to the cluster. */
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
