import { clusterFilesIn } from './cluster-files.js';
import { databaseName, embeddedConnectionString } from './connection-string.js';
import { readPassword } from './initialize-cluster.js';
import { readPostmasterFile } from './postmaster-file.js';
import { isRunning } from './process-identity.js';

/** The connection string of the server that another process runs on this data directory; undefined if there is none. */
export async function findRunningServer(dataDir: string): Promise<string | undefined> {
  const files = clusterFilesIn(dataDir);
  const postmaster = await readPostmasterFile(files.cluster);
  if (!postmaster?.isReady || !(await isRunning(postmaster.pid))) return undefined;
  return embeddedConnectionString(postmaster.port, await readPassword(files), databaseName);
}
