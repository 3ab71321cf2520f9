import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

import { launchCluster } from '#database';
import { type TestServer, makeTestDirectory, placeCluster } from '#testing';

const run = promisify(execFile);

/** A PostgreSQL of a test that can be killed and restarts on the same port. */
export type KillablePostgres = TestServer &
  Readonly<{
    /** kill -9 of the postmaster and all its children; resolves when it accepts connections again. */
    killAll: () => Promise<void>;
  }>;

export async function openKillablePostgres(): Promise<KillablePostgres> {
  const { directory, remove } = await makeTestDirectory();
  const settings = { shared_buffers: '32MB', max_connections: 100 };
  await placeCluster(directory);
  const cluster = await launchCluster(directory, settings);
  let running = cluster.process;
  return {
    get pid() {
      return running.pid;
    },
    dataDirectory: directory,
    connectionString: cluster.connectionString,
    killAll: async () => {
      for (const pid of [running.pid, ...(await childrenOf(running.pid))]) killIfAlive(pid);
      await running.exited;
      running = await cluster.relaunch();
    },
    close: remove,
  };
}

async function childrenOf(parent: number): Promise<number[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('pgrep', ['-P', String(parent)]);
    return stdout.trim().split('\n').map(Number);
  }
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, at) => parents[at] === parent);
}

async function parentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The process name, in parentheses, may contain spaces and parentheses.
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has exited in the meantime.
  }
}
