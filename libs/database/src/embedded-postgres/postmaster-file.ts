import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { orIfMissing } from './error-code.js';

/** The content of `postmaster.pid` of a running server. */
type Postmaster = {
  readonly pid: number;
  readonly clusterDirectory: string;
  readonly port: number;
  readonly isReady: boolean;
};

/** `undefined` if no server runs on the cluster, or if it is still starting. */
export async function readPostmasterFile(cluster: string): Promise<Postmaster | undefined> {
  const text = await orIfMissing(readFile(join(cluster, 'postmaster.pid'), 'utf8'), '');
  const [pid, clusterDirectory, , port, , , , status] = text.split('\n');
  if (!pid || !clusterDirectory || !port) return undefined;
  return {
    pid: Math.abs(Number(pid)),
    clusterDirectory,
    port: Number(port),
    // The check of the settings detects a standby.
    isReady: status !== undefined && /^(ready|standby)\s*$/.test(status),
  };
}
