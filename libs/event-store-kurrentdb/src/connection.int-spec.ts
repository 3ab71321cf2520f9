import { StoreUnavailableError } from '#event-sourcing';
import {
  type StandInKurrentDb,
  type TcpProxy,
  failure,
  newEvents,
  newStream,
  openStandIn,
  openTcpProxy,
  upTo,
  waitFor,
} from '#testing';

import { KurrentEventStore } from './kurrent-event-store.js';

/** Tests need not wait as long as a person would. */
const answerLimitMs = 1_000;

let server: StandInKurrentDb;
let proxies: TcpProxy[];
let store: KurrentEventStore;

beforeEach(async () => {
  server = await openStandIn({ nodes: 3 });
  proxies = await Promise.all(
    server.nodes.map(({ port }) => openTcpProxy({ host: '127.0.0.1', port })),
  );
  store = open();
});

afterEach(async () => {
  await store.close();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await server.close();
});

function open(options = ''): KurrentEventStore {
  const seeds = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const connectionString = `esdb://${seeds}?tls=false${options}`;
  return new KurrentEventStore({ connectionString, namespace: server.namespace(), answerLimitMs });
}

const append = (timeoutMs: number) =>
  store.append(newStream(), newEvents(1), 'no-stream', { timeoutMs });

describe('a connection to KurrentDB', () => {
  it('that finds its leader late lets appends wait for it, and ends nothing but itself', async () => {
    proxies.forEach((proxy) => proxy.blackHole());
    const waiting = upTo(5).map(() => append(30_000));
    // Longer than a call may wait: the connection they began with is given up meanwhile.
    expect(await failure(store.head({ timeoutMs: 4 * answerLimitMs }))).toBeInstanceOf(
      StoreUnavailableError,
    );
    proxies.forEach((proxy) => proxy.heal());
    for (const { version } of await Promise.all(waiting)) expect(version).toBe(1);
  });

  it('is closed without waiting for a leader that is not found', async () => {
    // To look for a leader takes longer here than the test waits.
    const seeking = open('&gossipTimeout=60');
    proxies.forEach((proxy) => proxy.blackHole());
    const append = seeking.append(newStream(), newEvents(1), 'no-stream', {
      timeoutMs: 4 * answerLimitMs,
    });
    const waiting = failure(append);
    const closed = seeking.close().then(() => true);
    await waiting;
    await waitFor('a connection that is closed', () => closed);
  });

  it('that was closed refuses every call at once, those under way as well', async () => {
    await append(10_000);
    await server.faults.switch({ fault: 'silence', node: 0, isOn: true });
    const reading = failure(store.head({ timeoutMs: 30_000 }));
    await store.close();
    const refused = [reading, failure(append(30_000)), failure(store.identity())];
    for (const error of await Promise.all(refused)) {
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(String(error)).toMatch(/closed/);
    }
  });
});
