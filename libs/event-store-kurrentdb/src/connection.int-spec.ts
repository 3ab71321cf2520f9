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
} from '#testing';

import { KurrentEventStore } from './kurrent-event-store.js';

/** Tests need not wait as long as a person would. */
const answerLimitMs = 300;

let server: StandInKurrentDb;
let proxies: TcpProxy[];
let store: KurrentEventStore;

beforeEach(async () => {
  server = await openStandIn({ nodes: 3 });
  proxies = await Promise.all(
    server.nodes.map(({ port }) => openTcpProxy({ host: '127.0.0.1', port })),
  );
  const seeds = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const connectionString = `esdb://${seeds}?tls=false`;
  store = new KurrentEventStore({ connectionString, namespace: server.namespace(), answerLimitMs });
});

afterEach(async () => {
  await store.close();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await server.close();
});

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
    proxies.forEach((proxy) => proxy.blackHole());
    const waiting = failure(append(4 * answerLimitMs));
    const closed = store.close().then(() => 'closed');
    await waiting;
    const patience = new Promise((resolve) => setTimeout(resolve, 3_000, 'waits'));
    expect(await Promise.race([closed, patience])).toBe('closed');
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
