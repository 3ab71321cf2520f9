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

describe('the watchdog of a server', () => {
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

  /** What our death does to the pipe. */
  async function endInput(): Promise<void> {
    watchdog.stdin?.end();
    await once(watchdog, 'exit');
  }

  it.each([
    ['that has signed the cluster', () => sign(pid)],
    ['that has not signed the cluster yet', () => Promise.resolve()],
    ['that follows one that was killed', () => sign(spawnSync('true').pid)],
  ])('asks a server %s to shut down', async (_, prepare) => {
    await prepare();
    const exited = once(server, 'exit');
    await endInput();
    expect(await exited).toEqual([null, 'SIGINT']);
  });

  it('leaves alone what has the number of a server that another has followed', async () => {
    await sign(process.pid);
    await endInput();
    expect(await isRunning(pid)).toBe(true);
  });

  it('leaves everything alone once it is dismissed', async () => {
    dismissWatchdog(watchdog);
    await once(watchdog, 'exit');
    expect(await isRunning(pid)).toBe(true);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)('is not ended by %s', async (signal) => {
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
