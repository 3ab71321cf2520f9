import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type ClusterFiles } from './cluster-files.js';
import { readPostmasterFile } from './postmaster-file.js';
import { stopPostmaster } from './postmaster-signals.js';
import { isRunning, readCommandLine } from './process-identity.js';
import { type ServerLog } from './server-log.js';

/**
 * Stops the server that a killed parent left running on the cluster. Stopping it, rather than going on with it, ends
 * what the dead parent had begun and brings the settings of this version. Only for the holder of the lock.
 */
export async function stopOrphanedServer(files: ClusterFiles, log: ServerLog): Promise<void> {
  const postmaster = await readPostmasterFile(files.cluster);
  if (postmaster === undefined) return;
  const { pid, clusterDirectory } = postmaster;
  if ((await isRunning(pid)) && (await isServerOf(pid, clusterDirectory))) {
    log.warn(
      `stopping the database server that a killed Throughline left running (process ${pid})`,
    );
    await stopPostmaster(pid);
  }
  // PostgreSQL would refuse to start if the number was given to another program since, or if nobody has asked after
  // the dead process, which keeps its number in a container without init. What its children still hold it finds by
  // itself.
  await rm(join(files.cluster, 'postmaster.pid'), { force: true });
}

async function isServerOf(pid: number, clusterDirectory: string): Promise<boolean> {
  const command = await readCommandLine(pid);
  if (command === '') return true;
  return /postgres/.test(command) && command.includes(clusterDirectory);
}
