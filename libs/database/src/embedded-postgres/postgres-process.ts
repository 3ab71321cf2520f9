import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { type ClusterFiles } from './cluster-files.js';
import { type PostgresBinaries } from './postgres-binaries.js';
import { isAlive, stopPostmaster } from './postmaster-signals.js';
import { readPostmasterFile } from './postmaster-file.js';
import { type ServerAccount } from './server-account.js';
import { openServerLog, readServerLog } from './server-log.js';
import { serverArguments, type ServerSettings } from './server-settings.js';
import { explainFailure } from './start-failure.js';

const pollMs = 20;
const portAttempts = 5;
/** Recovery after a crash replays at most `max_wal_size`; a slow disk may still need its time. */
const startLimitMs = 300_000;

export type PostgresProcess = {
  readonly pid: number;
  readonly port: number;
  /** Settles when the server has ended, for whatever reason. */
  readonly exited: Promise<void>;
};

export type SpawnOptions = {
  readonly files: ClusterFiles;
  readonly binaries: PostgresBinaries;
  readonly account: ServerAccount;
  readonly settings: ServerSettings;
};

/**
 * Starts the server in a session of its own, where no signal to our process group reaches it, and waits until it
 * takes connections.
 */
export async function spawnPostgres(options: SpawnOptions): Promise<PostgresProcess> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const outcome = await attemptStart(options, port);
    if (typeof outcome !== 'string') return outcome;
    const lostThePort = /could not bind .*Address already in use/i.test(outcome);
    if (!lostThePort || attempt === portAttempts)
      throw explainFailure(outcome, options.files.cluster);
  }
}

/** What the server wrote, if it did not start. */
async function attemptStart(
  options: SpawnOptions,
  port: number,
): Promise<PostgresProcess | string> {
  const { files } = options;
  const log = await openServerLog(files.log);
  const { size: logStart } = await log.stat();
  const child = launch(options, port, log.fd);
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  await log.close();
  const { pid } = child;
  if (pid === undefined) return failed;
  failed.catch(() => {});
  child.unref();
  const isReady = await waitUntilReady(files.cluster, pid, exited);
  if (isReady) return { pid, port, exited };
  return readServerLog(files.log, logStart);
}

function launch({ files, binaries, account, settings }: SpawnOptions, port: number, log: number) {
  const { file, args, identity } = account.command(binaries.postgres, [
    '-D',
    files.cluster,
    ...serverArguments({ ...settings, port }),
  ]);
  return spawn(file, args, {
    ...identity,
    cwd: files.cluster,
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
}

async function waitUntilReady(
  cluster: string,
  pid: number,
  exited: Promise<void>,
): Promise<boolean> {
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  const limit = performance.now() + startLimitMs;
  while (!hasExited && isAlive(pid)) {
    const postmaster = await readPostmasterFile(cluster);
    if (postmaster?.pid === pid && postmaster.isReady) return true;
    if (performance.now() > limit) await stopPostmaster(pid);
    await Promise.race([exited, delay(pollMs)]);
  }
  return false;
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  // A TCP server that listens answers with an address object.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
