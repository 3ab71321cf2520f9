import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeTestDirectory, waitFor } from '#testing';

import { clusterFilesIn } from './cluster-files.js';
import { dismissWatchdog, spawnWatchdog } from './parent-watchdog.js';
import { isRunning } from './process-identity.js';
import { type ServerAccount } from './server-account.js';

const ownAccount: ServerAccount = {
  command: (file, args) => ({ file, args, options: { env: {} } }),
  own: async () => {},
};

describe('spawnWatchdog', () => {
  let server: ChildProcess;
  let pid: number;
  let watchdog: ChildProcess;
  let cluster: string;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    const made = await makeTestDirectory();
    remove = made.remove;
    const files = clusterFilesIn(made.directory);
    cluster = files.cluster;
    await mkdir(cluster);
    await chmod(cluster, 0o755);
    server = spawn(process.execPath, ['-e', 'console.log(1), setInterval(() => {}, 1000)']);
    await once(server, 'spawn');
    if (server.stdout) await once(server.stdout, 'data');
    pid = server.pid ?? 0;
    watchdog = spawnWatchdog(pid, { files, account: ownAccount });
  });

  afterEach(async () => {
    const exited = once(server, 'exit');
    if (server.kill('SIGKILL')) await exited;
    await remove();
  });

  function sign(owner: number): Promise<void> {
    return writeFile(join(cluster, 'postmaster.pid'), `${owner}\n${cluster}\n`);
  }

  /** Ends the pipe as the death of this process would. */
  async function endInput(): Promise<void> {
    watchdog.stdin?.end();
    await once(watchdog, 'exit');
  }

  it.each([
    ['that has written postmaster.pid', () => sign(pid)],
    ['that has not written postmaster.pid yet', () => Promise.resolve()],
    ['that replaces a killed server', () => sign(spawnSync('true').pid)],
  ])('shuts down a server %s', async (_, prepare) => {
    await prepare();
    const exited = once(server, 'exit');
    await endInput();
    expect(await exited).toEqual([null, 'SIGINT']);
  });

  it('does not stop a process if another server has replaced its own', async () => {
    await sign(process.pid);
    await endInput();
    expect(await isRunning(pid)).toBe(true);
  });

  it('stops nothing after it was dismissed', async () => {
    dismissWatchdog(watchdog);
    await once(watchdog, 'exit');
    expect(await isRunning(pid)).toBe(true);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)('survives %s', async (signal) => {
    const { pid: own } = watchdog;
    await waitFor('a shell that ignores signals', () => readFile(`/proc/${own}/status`, 'utf8'), {
      until: (status) => /^SigIgn:.*[1-9a-f]/m.test(status),
    });
    watchdog.kill(signal);
    const exited = once(server, 'exit');
    await endInput();
    expect(await exited).toEqual([null, 'SIGINT']);
  });
});
