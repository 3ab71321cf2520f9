import { mkdir } from 'node:fs/promises';

import { clusterFilesIn } from './cluster-files.js';
import { embeddedConnectionString } from './connection-string.js';
import { initializeCluster, readPassword } from './initialize-cluster.js';
import { findPostgresBinaries } from './postgres-binaries.js';
import { type PostgresProcess, spawnPostgres } from './postgres-process.js';
import { chooseServerAccount } from './server-account.js';
import { type ServerSettings } from './server-settings.js';

export type LaunchedCluster = {
  readonly process: PostgresProcess;
  connectionString(database: string): string;
};

/** Makes the cluster if needed and starts the server. Whoever calls sees to it that only one does. */
export async function launchCluster(
  dataDirectory: string,
  settings: ServerSettings = {},
): Promise<LaunchedCluster> {
  const files = clusterFilesIn(dataDirectory);
  // Where root starts it, the server runs as another user, who has to reach the cluster inside.
  await mkdir(files.dataDirectory, {
    recursive: true,
    mode: process.getuid?.() === 0 ? 0o711 : 0o700,
  });
  const binaries = await findPostgresBinaries();
  const account = await chooseServerAccount(binaries, files.cluster);
  await initializeCluster(files, binaries, account);
  const server = await spawnPostgres({ files, binaries, account, settings });
  const password = await readPassword(files);
  return {
    process: server,
    connectionString: (database) => embeddedConnectionString(server.port, password, database),
  };
}
