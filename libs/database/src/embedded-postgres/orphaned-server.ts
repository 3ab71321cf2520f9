import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type ClusterFiles } from './cluster-files.js';
import { readPostmasterFile } from './postmaster-file.js';
import { stopPostmaster } from './postmaster-signals.js';
import { isRunning, readCommandLine } from './process-identity.js';
import { type ServerLog } from './server-log.js';

/**
 * Stops a server that a killed parent left running on the cluster. Stopping it instead of reusing it ends the work of
 * the dead parent and applies the settings of this version. Only the holder of the lock may call it.
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
  // PostgreSQL would refuse to start if another program has the process id by now, or if the dead process still has it
  // because no parent has waited for it, as in a container without init. PostgreSQL itself detects resources that its
  // child processes still hold.
  await rm(join(files.cluster, 'postmaster.pid'), { force: true });
}

async function isServerOf(pid: number, clusterDirectory: string): Promise<boolean> {
  const command = await readCommandLine(pid);
  if (command === '') return true;
  return /postgres/.test(command) && command.includes(clusterDirectory);
}
