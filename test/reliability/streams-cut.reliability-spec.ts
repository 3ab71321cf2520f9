import { type KurrentDbFaults, type TcpProxy, openKurrentDbProxy, openTcpProxy } from '#testing';

import { type Fault, blackOut, faultsOf, strikeWhileWriting } from './harness/network-faults.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';

const count = sized(8, 600);
const leaderChanges = sized(5, 200);

describe('R-04 with streams in kurrentdb', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a network or a server that breaks, hangs, crawls or loses answers causes no loss, duplicate or hang',
    () => runScenario('R-04 on kurrentdb', postgres, (run) => breakConnections(run), 'kurrentdb'),
    limitMs,
  );

  it(
    'changes of leaders during writes cause no loss, duplicate or hang',
    () =>
      runScenario(
        'R-04 on a cluster',
        postgres,
        async (run) => {
          const { address } = await run.fleet.start('api');
          const faults = faultsOfCluster(run.streams.kurrentdb?.faults);
          return strikeWhileWriting(run, () => address, {
            count: leaderChanges,
            groups: [faults],
            last: [],
          });
        },
        'cluster',
      ),
    limitMs,
  );
});

async function breakConnections(run: Run) {
  const { EVENTSTORE_URL: direct = '' } = run.streams.env;
  // A proxy is not possible before a named server with TLS or several nodes: then only the connection to our server is
  // cut.
  const toStreams = await openKurrentDbProxy(direct);
  const url = toStreams?.connectionString ?? direct;
  const server = await run.fleet.start('api', { EVENTSTORE_URL: url });
  const toServer = await openTcpProxy({
    host: '127.0.0.1',
    port: Number(new URL(server.address).port),
  });
  const faults = run.streams.kurrentdb?.faults;
  const figures = await strikeWhileWriting(run, () => `http://127.0.0.1:${toServer.port}`, {
    count,
    groups: [
      faultsOf(toServer),
      ...(toStreams ? [faultsOf(toStreams.proxy)] : []),
      ...(faults ? [faultsOfServer(faults)] : []),
    ],
    last: [
      ...(toStreams ? [cutOff(server.address, toStreams.proxy)] : []),
      ...(faults ? [silence(server.address, faults)] : []),
    ],
  });
  await Promise.all([toStreams?.proxy.close(), toServer.close()]);
  return figures;
}

function cutOff(address: string, proxy: TcpProxy): Fault {
  return blackOut(
    'black hole',
    address,
    () => proxy.blackHole(),
    () => proxy.heal(),
  );
}

/** A real server has no injected faults: then only the network fails. */
function faultsOfServer(faults: KurrentDbFaults): readonly Fault[] {
  const ends = (['cancelled', 'unavailable'] as const).flatMap((end) =>
    [true, false].map((isStored) => ({
      name: `append ended as ${end}, ${isStored ? 'stored' : 'not stored'}`,
      strike: async () => void (await faults.switch({ fault: 'end-next-append', end, isStored })),
    })),
  );
  return [
    ...ends,
    {
      name: 'answer lost behind the commit',
      strike: async () => void (await faults.switch({ fault: 'drop-answers', count: 1 })),
    },
    {
      name: 'subscriptions ended',
      strike: async () =>
        void (await faults.switch({ fault: 'cut-subscriptions', end: 'cancelled' })),
    },
    {
      name: 'events delivered twice',
      strike: async () => void (await faults.switch({ fault: 'repeat-events', count: 30 })),
    },
    {
      name: 'subscriptions stalled',
      strike: async (progress) => {
        await faults.switch({ fault: 'stall-subscriptions', isOn: true });
        await progress(10);
        await faults.switch({ fault: 'stall-subscriptions', isOn: false });
      },
    },
  ];
}

function silence(address: string, faults: KurrentDbFaults): Fault {
  const toggle = (isOn: boolean) => faults.switch({ fault: 'silence', node: 0, isOn });
  return blackOut(
    'silence',
    address,
    () => toggle(true),
    () => toggle(false),
  );
}

function faultsOfCluster(faults: KurrentDbFaults | undefined): readonly Fault[] {
  if (!faults) throw new Error('a cluster that loses its leader on purpose is the stand-in');
  const changes = (['cancelled', 'unavailable'] as const).map((end) => ({
    name: `leader lost, streams ended as ${end}`,
    strike: async () => void (await faults.switch({ fault: 'lose-leader', end })),
  }));
  return [
    ...changes,
    {
      name: 'leader stopped and started',
      strike: async (progress) => {
        const leader = await faults.switch({ fault: 'lose-leader', end: 'unavailable' });
        const node = (leader + 2) % 3;
        await faults.switch({ fault: 'stop-node', node });
        await progress(10);
        await faults.switch({ fault: 'start-node', node });
      },
    },
  ];
}
