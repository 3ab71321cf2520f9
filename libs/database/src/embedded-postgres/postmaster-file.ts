import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { orIfMissing } from './error-code.js';

/** What a running server says of itself in `postmaster.pid`. */
type Postmaster = {
  readonly pid: number;
  readonly clusterDirectory: string;
  readonly port: number;
  readonly isReady: boolean;
};

/** `undefined` when no server runs on the cluster, or it has only begun to. */
export async function readPostmasterFile(cluster: string): Promise<Postmaster | undefined> {
  const text = await orIfMissing(readFile(join(cluster, 'postmaster.pid'), 'utf8'), '');
  const [pid, clusterDirectory, , port, , , , status] = text.split('\n');
  if (!pid || !clusterDirectory || !port) return undefined;
  return {
    pid: Math.abs(Number(pid)),
    clusterDirectory,
    port: Number(port),
    // A standby is told apart by the check of its settings.
    isReady: status !== undefined && /^(ready|standby)\s*$/.test(status),
  };
}
