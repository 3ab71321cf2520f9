import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';

import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  FORWARDS,
  START,
  binaryEvent,
} from '@eventstore/db-client';
import streams_grpc_pb from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { jest } from '@jest/globals';

import {
  type AppendResult,
  type EventToAppend,
  type Position,
  type StoredEvent,
  OutcomeUnknownError,
  StoreUnavailableError,
  VersionConflictError,
} from '#event-sourcing';
import {
  type StandInKurrentDb,
  type StandInOptions,
  type TcpProxy,
  collect,
  failure,
  ids,
  newEvents,
  newStream,
  openCountingProxy,
  openStandIn,
  openTcpProxy,
  upTo,
  waitFor,
  itWhole,
  sized,
} from '#testing';

import { openClient } from './client.js';
import { Connection } from './connection.js';
import { Feed } from './feed.js';
import { KurrentEventStore } from './kurrent-event-store.js';
import { Namespace } from './namespace.js';
import { asPosition } from './position.js';

/** Short limits, so that the tests do not wait long. */
const [answerLimitMs, quietMs] = [1_000, 300];

let server: StandInKurrentDb;
let namespace: string;
let proxy: TcpProxy | undefined;
const opened: KurrentEventStore[] = [];

async function open(options: StandInOptions = {}): Promise<KurrentEventStore> {
  server = await openStandIn(options);
  namespace = server.namespace();
  return openStore(server.connectionString);
}

function openStore(connectionString: string): KurrentEventStore {
  const options = { connectionString, namespace, answerLimitMs, quietMs };
  const store = new KurrentEventStore(options);
  opened.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await proxy?.close();
  proxy = undefined;
  await server.close();
});

const stored = (store: KurrentEventStore, stream: string): Promise<StoredEvent[]> =>
  store.readStream(stream, { limit: 10_000 });

/** A store that connects through a proxy, which can slow down the server's data. */
async function openSlowLink(): Promise<Readonly<{ store: KurrentEventStore; link: TcpProxy }>> {
  await open();
  const [{ port } = { port: 0 }] = server.nodes;
  proxy = await openTcpProxy({ host: '127.0.0.1', port });
  const connectionString = `esdb://127.0.0.1:${proxy.port}?tls=false`;
  const limits = { answerLimitMs: 300, quietMs };
  const store = new KurrentEventStore({ connectionString, namespace, ...limits });
  opened.push(store);
  return { store, link: proxy };
}

function newLargeEvent(): EventToAppend {
  const data = JSON.stringify({ text: 'a'.repeat(300_000) });
  return { eventId: randomUUID(), type: 'Happened', data, metadata: '{}' };
}

/**
 * Opens `count` stores on three nodes, with default limits; their leader stops answering after each store has appended.
 */
async function openSilentLeader(count: number): Promise<() => Promise<AppendResult[]>> {
  await open({ nodes: 3 });
  const { connectionString } = server;
  const stores = upTo(count).map(() => new KurrentEventStore({ connectionString, namespace }));
  opened.push(...stores);
  const appendToEach = () =>
    Promise.all(stores.map((store) => store.append(newStream(), newEvents(1), 'no-stream')));
  await appendToEach();
  await server.faults.switch({ fault: 'silence', node: 0, isOn: true });
  return appendToEach;
}

/** A store with its newest event at `position`, followed by foreign events that make a search take this long. */
async function openSlowSearches(milliseconds: number) {
  await open();
  const { connectionString } = server;
  const store = new KurrentEventStore({ connectionString, namespace, answerLimitMs: 300 });
  opened.push(store);
  const { position } = await store.append(newStream(), newEvents(1), 'no-stream');
  await server.faults.switch({ fault: 'foreign-events', count: 100, bytes: 10 });
  await server.faults.switch({ fault: 'slow-searches', milliseconds });
  return { store, position };
}

/** Ends a call with an error after this many messages. */
function cutAfter(call: Readable, messages: number): void {
  const emit = call.emit.bind(call);
  let count = 0;
  call.emit = (event: string, ...args: unknown[]) => {
    const isHeard = emit(event, ...args);
    if (event === 'data' && ++count === messages) call.destroy(new Error('cut'));
    return isHeard;
  };
}

/** Appends the events sequentially, with retries. */
async function appendAll(
  store: KurrentEventStore,
  stream: string,
  events: readonly EventToAppend[],
): Promise<void> {
  for (const [n, event] of events.entries()) {
    const options = { timeoutMs: 30_000 };
    const { version } = await store.append(stream, [event], n || 'no-stream', options);
    expect(version).toBe(n + 1);
  }
}

describe('an append to KurrentDB', () => {
  it('is reported as stored if its answer was lost', async () => {
    const store = await open();
    const [stream, events] = [newStream(), newEvents(2)];
    await server.faults.switch({ fault: 'drop-answers', count: 1 });
    expect((await store.append(stream, events, 'no-stream')).version).toBe(2);
    expect(ids(await stored(store, stream))).toEqual(ids(events));
  });

  it.each(['cancelled', 'unavailable'] as const)(
    'is stored once if the server ends its call as %s',
    async (end) => {
      const store = await open();
      for (const isStored of [true, false]) {
        const [stream, events] = [newStream(), newEvents(2)];
        await server.faults.switch({ fault: 'end-next-append', end, isStored });
        expect((await store.append(stream, events, 'no-stream')).version).toBe(2);
        expect(ids(await stored(store, stream))).toEqual(ids(events));
      }
    },
  );

  it('to any version is not repeated: its outcome is unknown', async () => {
    const store = await open();
    for (const isStored of [true, false]) {
      const [stream, events] = [newStream(), newEvents(1)];
      await server.faults.switch({ fault: 'end-next-append', end: 'cancelled', isStored });
      expect(await failure(store.append(stream, events, 'any'))).toBeInstanceOf(
        OutcomeUnknownError,
      );
      expect(await stored(store, stream)).toHaveLength(isStored ? 1 : 0);
    }
  });

  it('conflicts if it had no answer and another append has taken its version', async () => {
    const store = await open();
    const stream = newStream();
    const rival = openStore(server.connectionString);
    await server.faults.switch({ fault: 'end-next-append', end: 'unavailable', isStored: false });
    const outcomes = await Promise.allSettled([
      store.append(stream, newEvents(1), 'no-stream'),
      rival.append(stream, newEvents(1), 'no-stream'),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes).toContainEqual(
      expect.objectContaining({ reason: expect.any(VersionConflictError) }),
    );
    expect(await stored(store, stream)).toHaveLength(1);
  });

  it('that lost a race is rejected after the winning event is readable', async () => {
    const store = await open();
    const stream = newStream();
    const rival = openStore(server.connectionString);
    await server.faults.switch({ fault: 'slow-commits', milliseconds: 500 });
    const winning = store.append(stream, newEvents(1), 'no-stream');
    const lost = failure(rival.append(stream, newEvents(1), 5));
    expect(await lost).toBeInstanceOf(VersionConflictError);
    expect(await stored(rival, stream)).toHaveLength(Object(await lost).actual);
    await winning;
  });

  it('that lost a race conflicts at its deadline even if the winning event is not readable yet', async () => {
    const store = await open();
    const stream = newStream();
    const rival = openStore(server.connectionString);
    await store.append(stream, newEvents(1), 'no-stream');
    await server.faults.switch({ fault: 'slow-commits', milliseconds: 1_500 });
    const appended = jest.spyOn(EventStoreDBClient.prototype, 'appendToStream');
    const winning = store.append(stream, newEvents(1), 1);
    await waitFor('the append that wins', () => appended.mock.calls.length);
    const lost = await failure(rival.append(stream, newEvents(1), 5, { timeoutMs: 700 }));
    expect(lost).toBeInstanceOf(VersionConflictError);
    appended.mockRestore();
    await winning;
  });

  itWhole('is stored once if it takes longer than the limit of the server', async () => {
    const store = await open();
    const [stream, events] = [newStream(), newEvents(2)];
    await server.faults.switch({ fault: 'slow-commits', milliseconds: 2_500 });
    expect((await store.append(stream, events, 'no-stream')).version).toBe(2);
    expect(ids(await stored(store, stream))).toEqual(ids(events));
  });

  it('is stored if sending takes longer than the answer limit', async () => {
    const { store, link } = await openSlowLink();
    await store.head();
    // The client sends 64 KiB and waits for their acknowledgement.
    link.delay(100);
    const { version } = await store.append(newStream(), [newLargeEvent()], 'no-stream');
    expect(version).toBe(1);
  });

  it('has an unknown outcome at its deadline if the server does not answer, and a repetition settles it', async () => {
    const store = await open();
    const [stream, events] = [newStream(), newEvents(1)];
    await store.head();
    await server.faults.switch({ fault: 'silence', node: 0, isOn: true });
    const error = await failure(store.append(stream, events, 'no-stream', { timeoutMs: 3_000 }));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(String(error)).toMatch(/got no answer: KurrentDB d/);
    await server.faults.switch({ fault: 'silence', node: 0, isOn: false });
    expect((await store.append(stream, events, 'no-stream')).version).toBe(1);
    expect(await stored(store, stream)).toHaveLength(1);
  });

  it('fails at its deadline if the server is stopped, and is stored after a restart', async () => {
    const store = await open();
    const [stream, events] = [newStream(), newEvents(1)];
    await store.head();
    await server.faults.switch({ fault: 'stop-node', node: 0 });
    const timeoutMs = 500;
    await failure(store.head({ timeoutMs }));
    const error = await failure(store.append(stream, events, 'no-stream', { timeoutMs }));
    // Which error depends on whether an attempt is in progress at the deadline: see pending-append.spec.ts.
    expect([StoreUnavailableError, OutcomeUnknownError]).toContain(Object(error).constructor);
    const waiting = store.append(stream, events, 'no-stream', { timeoutMs: 30_000 });
    await server.faults.switch({ fault: 'start-node', node: 0 });
    expect((await waiting).version).toBe(1);
  });

  it('has an unknown outcome if it may have been stored and its repetition is refused', async () => {
    const store = await open();
    const stream = newStream();
    await store.head();
    await server.faults.switch({ fault: 'drop-answers', count: 1 });
    const appending = failure(store.append(stream, newEvents(1), 'no-stream'));
    const administrator = openClient(server.connectionString);
    const name = new Namespace(namespace).toServer(stream);
    await waitFor('a stored event', () => stored(store, stream), {
      until: ({ length }) => length > 0,
    });
    await administrator.tombstoneStream(name);
    await administrator.close();
    expect(await appending).toBeInstanceOf(OutcomeUnknownError);
    expect(String(await appending)).toMatch(/deleted/);
    const known = await failure(store.append(stream, newEvents(1), 'no-stream'));
    expect(known).toBeInstanceOf(StoreUnavailableError);
  });

  it('is recognized by its ids and version after the server has discarded its recent ids', async () => {
    const store = await open();
    const [stream, events] = [newStream(), newEvents(2)];
    const first = await store.append(stream, events, 'no-stream');
    await store.append(stream, newEvents(3), 2);
    await server.faults.switch({ fault: 'forget-recent-ids' });
    expect(await store.append(stream, events, 'no-stream')).toEqual(first);
    expect(await stored(store, stream)).toHaveLength(5);
  });
});

describe('the identity of a new KurrentDB', () => {
  it('is the same for processes that start concurrently', async () => {
    await open();
    const stores = upTo(6).map(() => openStore(server.connectionString));
    await server.faults.switch({ fault: 'slow-commits', milliseconds: 500 });
    const found = await Promise.all(stores.map((store) => store.identity()));
    expect(new Set(found).size).toBe(1);
  });
});

describe('a cluster of KurrentDB', () => {
  it('neither loses nor duplicates events while it changes its leader', async () => {
    const store = await open({ nodes: 3 });
    const streams = upTo(4).map(newStream);
    const events = streams.map(() => newEvents(40));
    const writing = streams.map((stream, n) => appendAll(store, stream, events[n] ?? []));
    for (const end of ['cancelled', 'unavailable', 'cancelled'] as const)
      await server.faults.switch({ fault: 'lose-leader', end });
    await Promise.all(writing);
    for (const [n, stream] of streams.entries())
      expect(ids(await stored(store, stream))).toEqual(ids(events[n] ?? []));
  });

  itWhole(
    'stores every append on the new leader within its deadline after the old one stops answering',
    async () => {
      const appendToEach = await openSilentLeader(8);
      await server.faults.switch({ fault: 'lose-leader', end: 'unavailable' });
      for (const { version } of await appendToEach()) expect(version).toBe(1);
    },
  );

  itWhole(
    'is queried again while the other nodes still report the leader that stopped answering',
    async () => {
      const stores = 4;
      const appendToEach = await openSilentLeader(stores);
      const connected = jest.spyOn(EventStoreDBClient, 'connectionString');
      const appending = appendToEach();
      // Each store has noticed it and looked for a leader while there was no other.
      await waitFor('a new connection of each', () => connected.mock.calls.length, {
        until: (times) => times > stores,
      });
      await server.faults.switch({ fault: 'lose-leader', end: 'unavailable' });
      for (const { version } of await appending) expect(version).toBe(1);
      connected.mockRestore();
    },
  );

  it('continues with another leader if the old one does not return', async () => {
    const store = await open({ nodes: 3 });
    const stream = newStream();
    await store.append(stream, newEvents(1), 'no-stream');
    const leader = await server.faults.switch({ fault: 'lose-leader', end: 'unavailable' });
    await server.faults.switch({ fault: 'stop-node', node: (leader + 2) % 3 });
    await store.append(stream, newEvents(1), 1, { timeoutMs: 30_000 });
    expect(await stored(store, stream)).toHaveLength(2);
  });

  it('is never read from a follower, whose data may be stale', async () => {
    const store = await open({ nodes: 3 });
    const [stream, follower] = [newStream(), 1];
    await store.append(stream, newEvents(1), 'no-stream');
    await server.faults.switch({ fault: 'freeze', node: follower, isOn: true });
    await store.append(stream, newEvents(1), 1);

    const { connectionString = '' } = server.nodes[follower] ?? {};
    const name = new Namespace(namespace).toServer(stream);
    const stale = await Array.fromAsync(
      openClient(connectionString).readStream(name, { direction: FORWARDS, fromRevision: START }),
    );
    expect(stale).toHaveLength(1);

    const byFollower = openStore(connectionString);
    expect(await stored(byFollower, stream)).toHaveLength(2);
    const fresh = openStore(`${connectionString}&nodePreference=follower`);
    expect(await fresh.head()).toBe(await store.head());
    expect((await fresh.append(stream, newEvents(1), 2)).version).toBe(3);
  });
});

describe('a newly elected leader of KurrentDB', () => {
  itWhole(
    'may return data older than the last answer of the leader before without losing events',
    async () => {
      const store = await open({ nodes: 3 });
      const stream = newStream();
      await store.append(stream, newEvents(1), 'no-stream');
      await server.faults.switch({ fault: 'freeze', node: 1, isOn: true });
      await store.append(stream, newEvents(1), 1);
      await server.faults.switch({ fault: 'pre-leader', isOn: true });
      await server.faults.switch({ fault: 'lose-leader', end: 'unavailable', to: 1 });
      const stale = await waitFor('a read of the new leader', () => stored(store, stream), {
        until: ({ length }) => length === 1,
      });
      const decided = failure(
        store.append(stream, newEvents(1), stale.length, { timeoutMs: 30_000 }),
      );
      await failure(store.append(newStream(), newEvents(1), 'no-stream', { timeoutMs: 500 }));
      await server.faults.switch({ fault: 'freeze', node: 1, isOn: false });
      await server.faults.switch({ fault: 'pre-leader', isOn: false });
      expect(await decided).toMatchObject({ actual: 2 });
      expect(await stored(store, stream)).toHaveLength(2);
    },
  );
});

describe('a leader of KurrentDB that is not ready', () => {
  itWhole('stores no event of rejected appends and is not reported as unreachable', async () => {
    await open({ nodes: 3 });
    const { connectionString = '' } = server.nodes[0] ?? {};
    await server.faults.switch({ fault: 'lose-leader', end: 'unavailable', to: 1 });
    // The leader is not one of the nodes in the connection string.
    const store = openStore(connectionString);
    await store.append(newStream(), newEvents(1), 'no-stream');
    await server.faults.switch({ fault: 'pre-leader', isOn: true });
    const failed = jest.spyOn(Connection.prototype, 'failed');
    const timeoutMs = 3 * answerLimitMs;
    const append = () =>
      failure(store.append(newStream(), newEvents(1), 'no-stream', { timeoutMs }));
    // The deadline may pass during an attempt, whose outcome is then unknown, or the leader may not answer by then.
    await waitFor('an append that fails between two attempts', append, {
      until: (error) => error instanceof StoreUnavailableError && !/it names/.test(error.message),
      timeoutMs: 50_000,
    });
    // Later attempts may reach a follower and be refused by it.
    expect(String(failed.mock.calls[0]?.[1])).toMatch(/not ready/i);
    failed.mockRestore();
  });
});

describe('a subscription to KurrentDB', () => {
  it.each(sized(['unavailable'] as const, ['ok', 'cancelled', 'unavailable'] as const))(
    'neither misses nor repeats events if it ends repeatedly as %s',
    async (end) => {
      const store = await open();
      const stream = newStream();
      const following = collect(store, 'start', 300);
      for (let version = 0; version < 300; version += 30) {
        await store.append(stream, newEvents(30), version || 'no-stream');
        await server.faults.switch({ fault: 'cut-subscriptions', end });
      }
      expect(await following).toEqual(await stored(store, stream));
    },
  );

  it('does not delay closing its client if the server has ended it before its events were consumed', async () => {
    const store = await open();
    const client = openClient(server.connectionString);
    const subscription = client.subscribeToAll();
    await once(subscription, 'confirmation');
    const [stream] = client['disposableStreams'];
    if (!(stream instanceof Readable)) throw new Error('the subscription has no stream');
    // From here on nothing consumes the data, so that its end is not reached.
    stream.unpipe();
    await store.append(newStream(), newEvents(3), 'no-stream');
    await waitFor('the events', () => stream.readableLength, { until: (length) => length >= 3 });
    const ended = once(stream, 'status');
    await server.faults.switch({ fault: 'cut-subscriptions', end: 'ok' });
    await ended;
    await client.close();
  });

  it('ends when its client is closed, like a read in progress', async () => {
    const store = await open();
    await store.append(newStream(), newEvents(3), 'no-stream');
    const client = openClient(server.connectionString);
    const subscription = client.subscribeToAll();
    const subscriptionEnded = once(subscription.resume(), 'end');
    await once(subscription, 'confirmation');
    await server.faults.switch({ fault: 'silence', node: 0, isOn: true });
    const readEnded = once(client.readAll({ maxCount: 10 }).resume(), 'end');
    await waitFor('both streams', () => client['disposableStreams'].size, {
      until: (streams) => streams === 2,
    });
    await client.close();
    await Promise.all([subscriptionEnded, readEnded]);
  });

  it('yields duplicate events once', async () => {
    const store = await open();
    const stream = newStream();
    await server.faults.switch({ fault: 'repeat-events', count: 20 });
    const following = collect(store, 'start', 40);
    for (let version = 0; version < 40; version += 10)
      await store.append(stream, newEvents(10), version || 'no-stream');
    expect(await following).toEqual(await stored(store, stream));
  });

  itWhole('misses no event after its connection was lost because of a slow consumer', async () => {
    const store = await open();
    const stream = newStream();
    await server.faults.switch({ fault: 'slow-consumers', milliseconds: 300 });
    const large = () =>
      newEvents(4).map((event) => ({ ...event, data: `"${'x'.repeat(200_000)}"` }));
    // More than the buffers of the client can hold.
    for (let version = 0; version < 300; version += 4)
      await store.append(stream, large(), version || 'no-stream');
    const resumed = Promise.withResolvers<void>();
    const seen: number[] = [];
    const end = new AbortController();
    const consuming = (async () => {
      const { signal } = end;
      for await (const batch of store.subscribeAll({ after: 'start', batchSize: 10, signal })) {
        seen.push(...batch.map(({ version }) => version));
        if (seen.length >= 301) end.abort();
        await resumed.promise;
      }
    })();
    await waitFor('a connection that is lost', () =>
      server.faults.switch({ fault: 'slow-consumers', milliseconds: 300 }),
    );
    await store.append(stream, newEvents(1), 300);
    resumed.resolve();
    await consuming;
    expect(seen).toEqual(upTo(301));
  });

  it('is replaced if it delivers nothing although there are events', async () => {
    const store = await open();
    const stream = newStream();
    const following = collect(store, 'start', 2);
    await store.append(stream, newEvents(1), 'no-stream');
    await server.faults.switch({ fault: 'stall-subscriptions', isOn: true });
    await store.append(stream, newEvents(1), 1);
    // The stalled subscription is the only one: it has ended when there is none to cut for a moment.
    const cut = () => server.faults.switch({ fault: 'cut-subscriptions', end: 'ok' });
    await waitFor(
      'no subscription left directly after the cut',
      async () => {
        await cut();
        return cut();
      },
      { until: (left) => left === 0 },
    );
    await server.faults.switch({ fault: 'stall-subscriptions', isOn: false });
    expect(await following).toEqual(await stored(store, stream));
  });

  it('receives an event that takes longer than quietMs to arrive', async () => {
    const { store, link } = await openSlowLink();
    const stream = newStream();
    await store.append(stream, [newLargeEvent()], 'no-stream');
    link.trickle(400_000);
    expect(await collect(store, 'start', 1)).toHaveLength(1);
  });

  it('continues from a checkpoint after it has stalled', async () => {
    const store = await open();
    const stream = newStream();
    const { position } = await store.append(stream, newEvents(1), 'no-stream');
    await server.faults.switch({ fault: 'foreign-events', count: 1, bytes: 10 });
    const client = openClient(server.connectionString);
    const last = client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 });
    const [{ event } = {}] = await Array.fromAsync(last);
    if (!event?.position) throw new Error('an event was written');
    const checkpoint = event.position;
    const following = collect(store, position, 1);
    const subscribed = jest.spyOn(EventStoreDBClient.prototype, 'subscribeToAll');
    const passed = jest.spyOn(Feed.prototype, 'passed', 'get');
    passed.mockReturnValue(asPosition(checkpoint));
    await server.faults.switch({ fault: 'stall-subscriptions', isOn: true });
    await store.append(stream, newEvents(1), 1);
    await waitFor('a subscription behind the checkpoint', () => subscribed.mock.lastCall?.[0], {
      until: (options) => Object(options?.fromPosition).commit === checkpoint.commit,
    });
    await server.faults.switch({ fault: 'stall-subscriptions', isOn: false });
    expect(await following).toMatchObject([{ stream, version: 2 }]);
    passed.mockRestore();
    subscribed.mockRestore();
  });

  it('survives a server that restarts and one that stops answering', async () => {
    const store = await open();
    const stream = newStream();
    const following = collect(store, 'start', 3);
    await store.append(stream, newEvents(1), 'no-stream');
    await server.faults.switch({ fault: 'stop-node', node: 0 });
    await server.faults.switch({ fault: 'start-node', node: 0 });
    await store.append(stream, newEvents(1), 1, { timeoutMs: 30_000 });
    await server.faults.switch({ fault: 'silence', node: 0, isOn: true });
    const writing = store.append(stream, newEvents(1), 2, { timeoutMs: 30_000 });
    await failure(store.head({ timeoutMs: 2 * answerLimitMs }));
    await server.faults.switch({ fault: 'silence', node: 0, isOn: false });
    await writing;
    expect(await following).toEqual(await stored(store, stream));
  });

  it('follows the leader and ignores an invalid checkpoint', async () => {
    const store = await open({ nodes: 3 });
    const stream = newStream();
    await server.faults.switch({ fault: 'bad-checkpoint' });
    const following = collect(store, 'start', 60);
    for (let version = 0; version < 60; version += 10) {
      await store.append(stream, newEvents(10), version || 'no-stream', { timeoutMs: 30_000 });
      if (version % 20 === 0)
        await server.faults.switch({ fault: 'lose-leader', end: 'unavailable' });
    }
    expect(await following).toEqual(await stored(store, stream));
  });

  it('continues after foreign events from the checkpoint of the server', async () => {
    const store = await open();
    const { position } = await store.append(newStream(), newEvents(1), 'no-stream');
    await server.faults.switch({ fault: 'foreign-events', count: 2_500, bytes: 10 });
    const client = openClient(server.connectionString);
    const feed = new Feed(client, new Namespace(namespace), START);
    const { signal } = new AbortController();
    expect(await feed.take(10, 1_000, signal)).toMatchObject([{ position }]);
    const passed = await waitFor('a checkpoint behind what others wrote', async () => {
      await feed.take(10, 50, signal);
      return feed.passed;
    });
    expect(passed && store.comparePositions(passed, position)).toBe(1);
    feed.close();
  });

  it('continues from a checkpoint that arrived just before the server ended it', async () => {
    await open();
    const options = { connectionString: server.connectionString, namespace, answerLimitMs };
    // No subscription is quiet for this long here.
    const store = new KurrentEventStore({ ...options, quietMs: 60_000 });
    opened.push(store);
    const stream = newStream();
    const { position } = await store.append(stream, newEvents(1), 'no-stream');
    const subscribed = jest.spyOn(EventStoreDBClient.prototype, 'subscribeToAll');
    const following = collect(store, 'start', 2);
    await waitFor('a subscription', () => subscribed.mock.calls.length);
    await server.faults.switch({ fault: 'foreign-events', count: 2_500, bytes: 10 });
    const resumedAt = async () => {
      await server.faults.switch({ fault: 'cut-subscriptions', end: 'unavailable' });
      const from = subscribed.mock.calls.at(-1)?.[0]?.fromPosition;
      return typeof from === 'object' ? from.commit : 0n;
    };
    await waitFor('one that goes on behind what others wrote', resumedAt, {
      until: (commit) => commit > BigInt(position.split('/')[0] ?? 0),
    });
    subscribed.mockRestore();
    await store.append(stream, newEvents(1), 1);
    expect(await following).toEqual(await stored(store, stream));
  });

  it('is rejected for a position without an event', async () => {
    const store = await open();
    const { position } = await store.append(newStream(), newEvents(2), 'no-stream');
    const [commit = '0'] = position.split('/');
    const between = `${BigInt(commit) - 1n}/${BigInt(commit) - 1n}` as typeof position;
    // More attempts than any deadline would allow for retries.
    for (let times = 0; times < 3; times++)
      expect(await failure(store.readAll({ after: between, limit: 1 }))).toBeInstanceOf(RangeError);
    expect(await failure(collect(store, between, 1))).toBeInstanceOf(RangeError);
  });
});

describe('a read from KurrentDB', () => {
  it('is not treated as complete if its connection was closed', async () => {
    const store = await open();
    const stream = newStream();
    await store.append(stream, newEvents(5), 'no-stream');
    const head = await store.head();
    await server.faults.switch({ fault: 'silence', node: 0, isOn: true });
    const connected = jest.spyOn(EventStoreDBClient, 'connectionString');
    const reads: Promise<[StoredEvent[], Position | 'start']>[] = [];
    // Starts reads until two connections were closed together with their calls.
    await waitFor(
      'a third connection',
      () => {
        reads.push(Promise.all([stored(store, stream), store.head()]));
        return connected.mock.calls.length;
      },
      { until: (opened) => opened >= 2 },
    );
    connected.mockRestore();
    await server.faults.switch({ fault: 'silence', node: 0, isOn: false });
    for (const [events, found] of await Promise.all(reads)) {
      expect(events).toHaveLength(5);
      expect(found).toBe(head);
    }
  });

  it('starts over after an interruption between large events, and returns all of them', async () => {
    const store = await open();
    const data = JSON.stringify('x'.repeat(900_000));
    const stream = newStream();
    for (let version = 0; version < 9; version++)
      await store.append(
        stream,
        newEvents(1).map((event) => ({ ...event, data })),
        version || 'no-stream',
      );
    const { read } = streams_grpc_pb.StreamsClient.prototype;
    let cuts = 0;
    const reading = jest.spyOn(streams_grpc_pb.StreamsClient.prototype, 'read');
    reading.mockImplementation(function (
      this: streams_grpc_pb.StreamsClient,
      ...args: Parameters<typeof read>
    ) {
      const call = Reflect.apply(read, this, args);
      const isCut = Boolean(args[0].getOptions()?.getFilter()) && cuts++ === 0;
      if (isCut) cutAfter(call, 8);
      return call;
    });
    const events = await store.readAll({ after: 'start', limit: 20 });
    reading.mockRestore();
    expect(events.map(({ version }) => version)).toEqual(upTo(9));
    expect(cuts).toBeGreaterThan(1);
  });

  it('does not affect a later read if its caller has left', async () => {
    const store = await open();
    const { position } = await store.append(newStream(), newEvents(1), 'no-stream');
    const others = { connectionString: server.connectionString, namespace: server.namespace() };
    const other = new KurrentEventStore(others);
    opened.push(other);
    await other.append(newStream(), newEvents(3_000), 'no-stream');
    for (const timeoutMs of upTo(20)) await Promise.allSettled([store.head({ timeoutMs })]);
    expect(await store.head()).toBe(position);
  });

  it('is rejected at once for a foreign event in a stream of the store, like a subscription', async () => {
    const store = await open();
    const stream = newStream();
    await store.append(stream, newEvents(1), 'no-stream');
    const foreign = openClient(server.connectionString);
    const noText = binaryEvent({ type: 'Foreign', data: Uint8Array.of(0xff) });
    await foreign.appendToStream(new Namespace(namespace).toServer(stream), noText);
    await foreign.close();
    const calls = [stored(store, stream), store.readAll({ after: 'start', limit: 2 })];
    const refused = [...calls, collect(store, 'start', 2)].map((call) => failure(call));
    for (const error of await Promise.all(refused)) expect(String(error)).toMatch(/not text/);
  });

  it('ends at the newest event of the store regardless of later foreign events', async () => {
    const store = await open();
    const { position } = await store.append(newStream(), newEvents(3), 'no-stream');
    await server.faults.switch({ fault: 'foreign-events', count: 6_000, bytes: 10 });
    const read = () => store.readAll({ after: 'start', limit: 100 });
    expect(await read()).toHaveLength(3);
    const reading = jest.spyOn(streams_grpc_pb.StreamsClient.prototype, 'read');
    expect(await read()).toHaveLength(3);
    expect(await store.readAll({ after: position, limit: 100 })).toEqual([]);
    expect(reading.mock.calls.length).toBeLessThanOrEqual(4);
    reading.mockRestore();
  });

  it('does not transfer foreign events, regardless of their number and position', async () => {
    const first = await open();
    const stream = newStream();
    await server.faults.switch({ fault: 'foreign-events', count: 20_000, bytes: 1_000 });
    await first.append(stream, newEvents(2), 'no-stream');
    await server.faults.switch({ fault: 'foreign-events', count: 20_000, bytes: 1_000 });
    const { position } = await first.append(stream, newEvents(1), 2);
    await server.faults.switch({ fault: 'foreign-events', count: 20_000, bytes: 1_000 });
    const counting = await openCountingProxy(server.connectionString);
    const store = openStore(counting.connectionString);
    expect(await store.head()).toBe(position);
    for (const limit of [1, 2, 3, 100])
      expect(await store.readAll({ after: 'start', limit })).toHaveLength(Math.min(limit, 3));
    expect(await collect(store, 'start', 3)).toHaveLength(3);
    expect(counting.taken().answered).toBeLessThan(200_000);
    await store.close();
    await counting.close();
  });

  it('is complete even if it takes longer than the answer limit', async () => {
    const { store, link } = await openSlowLink();
    const stream = newStream();
    await store.append(stream, [newLargeEvent()], 'no-stream');
    link.trickle(400_000);
    expect(await stored(store, stream)).toHaveLength(1);
    const slow = { timeoutMs: 60_000 };
    expect(await store.readAll({ after: 'start', limit: 10 }, slow)).toHaveLength(1);
  });

  it('may search on the server for longer than the answer limit', async () => {
    const { store, position } = await openSlowSearches(1_500);
    const connected = jest.spyOn(EventStoreDBClient, 'connectionString');
    expect(await failure(store.head({ timeoutMs: 500 }))).toBeInstanceOf(StoreUnavailableError);
    // The abandoned search continues, and the next caller gets its result.
    expect(await store.head({ timeoutMs: 30_000 })).toBe(position);
    expect(connected).not.toHaveBeenCalled();
    connected.mockRestore();
  });

  it('for the newest event starts over after a search was lost', async () => {
    const { store, position } = await openSlowSearches(600_000);
    expect(await failure(store.head({ timeoutMs: 500 }))).toBeInstanceOf(StoreUnavailableError);
    await server.faults.switch({ fault: 'slow-searches', milliseconds: 0 });
    await waitFor('the newest event', () => store.head().catch((error: unknown) => error), {
      until: (found) => found === position,
    });
  });
});
