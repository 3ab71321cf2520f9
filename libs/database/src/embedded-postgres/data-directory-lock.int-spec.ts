import { readFile, utimes, writeFile } from 'node:fs/promises';

import { makeTestDirectory, startProgram } from '#testing';

import { type ClusterFiles, clusterFilesIn } from './cluster-files.js';
import { lockDataDirectory } from './data-directory-lock.js';
import { readPidNamespace, readStartIdentity } from './process-identity.js';

describe('lockDataDirectory', () => {
  let files: ClusterFiles;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    const made = await makeTestDirectory();
    files = clusterFilesIn(made.directory);
    remove = made.remove;
  });
  afterEach(() => remove());

  it('names the holder, and can be acquired again after its release', async () => {
    const lock = await lockDataDirectory(files);
    expect(JSON.parse(await readFile(files.lock, 'utf8'))).toMatchObject({ pid: process.pid });
    await expect(lockDataDirectory(files)).rejects.toThrow(`process ${process.pid}`);
    await lock.release();
    await (await lockDataDirectory(files)).release();
  });

  it('rejects a lock that a live process holds', async () => {
    const other = startProgram('migrate', 'postgresql://127.0.0.1:1/none');
    await other.next('waiting');
    await leave({ pid: other.pid, started: await readStartIdentity(other.pid) });
    await expect(lockDataDirectory(files)).rejects.toThrow(
      expect.objectContaining({ code: 'data-directory-in-use' }),
    );
    await other.kill('SIGKILL');
    await (await lockDataDirectory(files)).release();
  });

  it('lets exactly one of many take over the lock of a dead process', async () => {
    await leave({ pid: process.pid, started: 'before this process' });
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => lockDataDirectory(files)),
    );
    const won = answers.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const answer of won) if (answer.status === 'fulfilled') await answer.value.release();
  });

  it('takes over an incomplete lock file', async () => {
    await writeFile(files.lock, '{"tok');
    await (await lockDataDirectory(files)).release();
  });

  it('takes over a lock that names no process', async () => {
    const namespace = await readPidNamespace();
    await writeFile(files.lock, JSON.stringify({ token: 'of nobody', namespace }));
    await (await lockDataDirectory(files)).release();
  });

  it.each([
    ['in another container', { namespace: 'pid:[1]' }],
    ['on another machine', { host: 'another-machine' }],
  ])('rejects a lock of a holder %s while it sends heartbeats', async (_, place) => {
    await leave({ pid: 1, started: 'unknown', ...place });
    const heart = setInterval(() => void utimes(files.lock, new Date(), new Date()), 500);
    try {
      await expect(lockDataDirectory(files)).rejects.toThrow('process 1');
    } finally {
      clearInterval(heart);
    }
    await (await lockDataDirectory(files)).release();
  });

  it('does not release a lock that another process has taken over', async () => {
    const lock = await lockDataDirectory(files);
    await leave({ pid: process.pid, started: await readStartIdentity(process.pid) });
    await lock.release();
    await expect(lockDataDirectory(files)).rejects.toThrow('in use');
  });

  async function leave(holder: object): Promise<void> {
    const signed = { token: 'another', namespace: await readPidNamespace(), ...holder };
    await writeFile(files.lock, JSON.stringify(signed));
  }
});
