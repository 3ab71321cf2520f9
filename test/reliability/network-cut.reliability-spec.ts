import { request } from 'undici';

import { type TcpProxy, openTcpProxy } from '#testing';

import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { until } from './harness/until.js';
import { Writing } from './harness/writing.js';

const faults = sized(8, 600);
const appendsBetween = 20;
const jitterMs = 500;
const trickleBytes = 1_024;

type Fault = Readonly<{
  name: string;
  /** Only the way to the database has statements in it. */
  onlyDatabase?: boolean;
  strike: (proxy: TcpProxy, progress: (appends: number) => Promise<void>) => Promise<void>;
}>;

const kinds: readonly Fault[] = [
  {
    name: 'reset',
    strike: async (proxy) => proxy.reset(),
  },
  {
    name: 'jitter',
    strike: async (proxy, progress) => {
      proxy.delay(jitterMs);
      await progress(4);
      proxy.delay(0);
    },
  },
  {
    name: 'trickle',
    strike: async (proxy, progress) => {
      proxy.trickle(trickleBytes);
      await progress(2);
      proxy.trickle(undefined);
    },
  },
  {
    name: 'answer lost behind the commit',
    onlyDatabase: true,
    strike: async (proxy) => proxy.dropAnswerTo('throughline_append_', 'reset'),
  },
  {
    name: 'answer withheld behind the commit',
    onlyDatabase: true,
    strike: async (proxy) => proxy.dropAnswerTo('throughline_append_', 'silence'),
  },
];

describe('R-04', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a network that breaks, hangs, crawls or loses answers makes nothing lost, doubled or stuck',
    () =>
      runScenario('R-04', postgres, async ({ database, fleet, client, random }) => {
        const url = new URL(database.connectionString);
        const toDatabase = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
        url.port = String(toDatabase.port);
        const server = await fleet.start('api', { DATABASE_URL: url.href });
        const toServer = await openTcpProxy({
          ...{ host: '127.0.0.1', port: Number(new URL(server.address).port) },
        });
        const address = () => `http://127.0.0.1:${toServer.port}`;
        const contexts = ['a', 'b', 'c', 'd'];
        const clients = Array.from({ length: 8 }, (_, n) => client(`writer-${n}`, address));
        await Promise.all(contexts.map((id, n) => clients[n]?.create(id)));
        const writing = new Writing(clients, contexts, (faults + 2) * appendsBetween);
        const struck: Record<string, number> = {};
        for (let n = 0; n < faults; n++) {
          const proxy = random.pick([toDatabase, toServer]);
          const fault = random.pick(
            kinds.filter(({ onlyDatabase }) => !onlyDatabase || proxy === toDatabase),
          );
          await writing.reached((n + 1) / (faults + 2));
          await fault.strike(proxy, (appends) => writing.more(appends));
          struck[fault.name] = (struck[fault.name] ?? 0) + 1;
        }
        await blackOut(toDatabase, server.address);
        struck['black hole'] = 1;
        await writing.finished();
        await Promise.all([toDatabase.close(), toServer.close()]);
        return struck;
      }),
    limitMs,
  );
});

/** Nothing gets through until the server has said that it is not ready; then it must become so again. */
async function blackOut(proxy: TcpProxy, address: string): Promise<void> {
  const ready = async () => {
    const answer = await request(`${address}/health/ready`);
    await answer.body.dump();
    return answer.statusCode === 200;
  };
  proxy.blackHole();
  await until(async () => !(await ready()));
  proxy.heal();
  await until(ready);
}
