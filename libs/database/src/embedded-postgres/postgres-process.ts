import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { type Installation } from './initialize-cluster.js';
import { dismissWatchdog, spawnWatchdog } from './parent-watchdog.js';
import { stopPostmaster } from './postmaster-signals.js';
import { readPostmasterFile } from './postmaster-file.js';
import { isRunning } from './process-identity.js';
import { openServerLog, readServerLog } from './server-log.js';
import { serverArguments, type ServerSettings } from './server-settings.js';
import { explainFailure } from './start-failure.js';

const pollMs = 20;
const retryMs = 100;
/**
 * Covers a port that was taken in the meantime, and resources of a killed server that its processes hold until they
 * notice.
 */
const retryLimitMs = 15_000;
const transient = /could not bind .*address already in use|pre-existing shared memory block/is;
/** Recovery after a crash replays at most `max_wal_size`, which may take long on a slow disk. */
const startLimitMs = 300_000;

export type PostgresProcess = {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the server has ended for any reason. */
  readonly exited: Promise<void>;
};

type SpawnOptions = Installation & {
  readonly settings: ServerSettings;
  /** A free port by default. */
  readonly port?: number;
};

/**
 * Starts the server in a separate session, so that signals to this process group do not reach it, and waits until it
 * accepts connections. It ends soon after this process, however this process ends.
 */
export async function spawnPostgres(options: SpawnOptions): Promise<PostgresProcess> {
  const limit = performance.now() + retryLimitMs;
  for (;;) {
    const outcome = await attemptStart(options, options.port ?? (await findFreePort()));
    if (typeof outcome !== 'string') return outcome;
    if (!transient.test(outcome) || performance.now() > limit)
      throw explainFailure(outcome, options.files.dataDirectory);
    await delay(retryMs);
  }
}

/** Returns the server's output if it did not start. */
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
  const { pid } = child;
  if (pid !== undefined) watch(pid, exited, options);
  await log.close();
  if (pid === undefined) return failed;
  failed.catch(() => {});
  child.unref();
  const isReady = await waitUntilReady(files.cluster, pid, exited);
  if (isReady) return { pid, port, exited };
  return readServerLog(files.log, logStart);
}

function launch({ files, binaries, account, settings }: SpawnOptions, port: number, log: number) {
  const { file, args, options } = account.command(binaries.postgres, [
    '-D',
    files.cluster,
    ...serverArguments({ ...settings, port }),
  ]);
  return spawn(file, args, {
    ...options,
    cwd: files.cluster,
    detached: true,
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
}

function watch(pid: number, exited: Promise<void>, installation: Installation): void {
  if (process.platform === 'win32') return;
  const watchdog = spawnWatchdog(pid, installation);
  void exited.then(() => dismissWatchdog(watchdog));
}

async function waitUntilReady(
  cluster: string,
  pid: number,
  exited: Promise<void>,
): Promise<boolean> {
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  const limit = performance.now() + startLimitMs;
  while (!hasExited && (await isRunning(pid))) {
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
