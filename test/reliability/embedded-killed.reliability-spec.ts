import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { placeCluster } from '#testing';

import { stopServerProcesses, throughline } from '../e2e/server-process.js';
import { ContextClient, rootKey } from './harness/context-client.js';
import { Fleet } from './harness/fleet.js';
import { HistoryRecorder } from './harness/history-recorder.js';
import { chooseSeed, limitMs, sized } from './harness/size.js';
import { Writing } from './harness/writing.js';

const rounds = sized(1, 20);
const appends = 300;
const deadlineMs = 30_000;

describe('R-02 with the embedded server', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'throughline-embedded-'));
    await chmod(directory, 0o755);
  });

  afterEach(async () => {
    await stopServerProcesses();
    await rm(directory, { recursive: true, force: true });
  });

  it.each([
    ['the server alone', ['server']],
    ['the server and its database together', ['server', 'database']],
    ['the database alone, which comes back under the same server', ['database']],
  ] as readonly [string, readonly string[]][])(
    'nothing acknowledged is lost by kill -9 of %s',
    async (_what, victims) => {
      const env = { THROUGHLINE_DATA_DIR: join(directory, 'data'), THROUGHLINE_ADMIN_KEY: rootKey };
      await placeCluster(env.THROUGHLINE_DATA_DIR);
      const recorder = new HistoryRecorder('R-02-embedded', chooseSeed());
      const fleet = new Fleet(recorder, env);
      await fleet.start('api-0');
      // No process listens there until the server is started again.
      const address = () => fleet.addresses()[0] ?? 'http://127.0.0.1:9';
      const contexts = ['a', 'b', 'c', 'd'];
      const clients = Array.from(
        { length: 8 },
        (_, n) => new ContextClient(`writer-${n}`, { address, recorder, deadlineMs }),
      );
      await Promise.all(contexts.map((id, n) => clients[n]?.create(id)));
      const writing = new Writing(clients, contexts, appends * rounds);
      for (let round = 0; round < rounds; round++) {
        await writing.reached((round + 0.5) / rounds);
        const [server] = fleet.servers;
        if (!server) throw new Error('nobody serves');
        const database = await databasePid(directory);
        const ended = victims.includes('server') ? fleet.end(server, 'SIGKILL') : undefined;
        if (victims.includes('database')) process.kill(database, 'SIGKILL');
        await ended;
        if (ended) await fleet.start(`api-${round + 1}`);
      }
      await writing.finished();
      await fleet.stopAll();
      recorder.end({ rounds, appends: appends * rounds });
      const audited = await throughline(['audit', await recorder.save()], env);
      expect(audited).toMatchObject({ code: 0, err: '' });
    },
    limitMs,
  );
});

async function databasePid(directory: string): Promise<number> {
  const file = await readFile(join(directory, 'data', 'postgres', 'postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}
