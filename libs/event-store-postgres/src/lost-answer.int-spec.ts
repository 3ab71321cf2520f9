import { createPool } from '#database';
import { OutcomeUnknownError, StoreUnavailableError } from '#event-sourcing';
import {
  type TcpProxy,
  type TestDatabase,
  type TestServer,
  newEvents,
  newStream,
  openTcpProxy,
  openTestDatabase,
  openTestServer,
  startProgram,
  upTo,
} from '#testing';
import { type Pool } from 'pg';

import { PostgresEventStore } from './postgres-event-store.js';

const single = 'throughline_append_events_if';
const batch = 'throughline_append_batch_if';

let server: TestServer;
let database: TestDatabase;
let proxy: TcpProxy;
let proxied: string;
let pool: Pool;
/** A store that connects through the proxy. */
let store: PostgresEventStore;
/** A store that connects directly. */
let other: PostgresEventStore;

/** Answers that are not lost arrive sooner, even on a busy machine. */
const answerLimitMs = 1_000;

beforeAll(async () => {
  server = await openTestServer();
  database = await openTestDatabase(server);
  const url = new URL(database.connectionString);
  proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  proxied = url.href;
  pool = createPool({ connectionString: proxied, applicationName: 'proxied' });
  store = new PostgresEventStore({ pool, answerLimitMs });
  other = new PostgresEventStore({ pool: database.pool });
}, 60_000);

afterAll(async () => {
  proxy.heal();
  await Promise.all([store.close(), other.close()]);
  await pool.end();
  await proxy.close();
  await database.close();
  await server.close();
});

async function idsIn(stream: string): Promise<string[]> {
  return (await other.readStream(stream, { limit: 1_000 })).map(({ eventId }) => eventId);
}

async function nextPosition(): Promise<number> {
  return (other.countBetween('start', await other.head()) ?? Number.NaN) + 1;
}

describe('an append whose answer is lost after the commit', () => {
  test.each(['reset', 'silence'] as const)(
    'is stored once and answered by its repetition after a %s',
    async (then) => {
      const stream = newStream();
      const events = newEvents(3);
      const first = await nextPosition();
      const dropped = proxy.dropAnswerTo(single, then);
      const answer = await store.append(stream, events, 'no-stream');
      await dropped;
      expect(answer).toEqual({ version: 3, position: String(first + 2), isRepeat: true });
      expect(await idsIn(stream)).toEqual(events.map(({ eventId }) => eventId));
      expect(await nextPosition()).toBe(first + 3);
    },
  );

  test.each(['reset', 'silence'] as const)(
    'is answered like all others of its batch after a %s',
    async (then) => {
      const streams = upTo(20).map(newStream);
      const first = await nextPosition();
      const dropped = proxy.dropAnswerTo(batch, then);
      const answers = await Promise.all(
        streams.map((stream) => store.append(stream, newEvents(2), 'no-stream')),
      );
      await dropped;
      expect(answers.map(({ version }) => version)).toEqual(streams.map(() => 2));
      expect(await nextPosition()).toBe(first + 40);
    },
  );

  test('is not repeated with `any`: its outcome is unknown, and it is stored once', async () => {
    const stream = newStream();
    const dropped = proxy.dropAnswerTo(batch, 'reset');
    await expect(store.append(stream, newEvents(1), 'any')).rejects.toThrow(OutcomeUnknownError);
    await dropped;
    expect(await idsIn(stream)).toHaveLength(1);
  });

  test('is reported to another process that repeats it after a kill -9', async () => {
    const stream = newStream();
    const [event] = newEvents(1);
    if (!event) throw new Error('no event was created');
    const first = await nextPosition();
    const dropped = proxy.dropAnswerTo(single, 'silence');
    const program = startProgram('append-events', proxied, stream, '1', '1', event.eventId);
    await dropped;
    await program.kill('SIGKILL');
    expect(await idsIn(stream)).toEqual([event.eventId]);
    expect(await other.append(stream, [event], 'no-stream')).toEqual({
      version: 1,
      position: String(first),
      isRepeat: true,
    });
    expect(await idsIn(stream)).toEqual([event.eventId]);
  });
});

describe('a network failure', () => {
  test('that lasts until the deadline leaves the outcome unknown, and a repetition reports it', async () => {
    const stream = newStream();
    const events = newEvents(2);
    await store.readStream(stream, { limit: 1 });
    proxy.blackHole();
    await expect(
      store.append(stream, events, 'no-stream', { timeoutMs: 2.5 * answerLimitMs }),
    ).rejects.toThrow(OutcomeUnknownError);
    await expect(store.readStream(stream, { limit: 1 }, { timeoutMs: 100 })).rejects.toThrow(
      StoreUnavailableError,
    );
    proxy.heal();
    expect((await store.append(stream, events, 'no-stream')).version).toBe(2);
    expect(await idsIn(stream)).toHaveLength(2);
  });

  test('that ends before the deadline is not noticed by callers', async () => {
    const streams = upTo(10).map(newStream);
    proxy.blackHole();
    const answers = streams.map((stream) => store.append(stream, newEvents(1), 'no-stream'));
    const read = store.readAll({ after: 'start', limit: 1 });
    await expect(store.head({ timeoutMs: 1.5 * answerLimitMs })).rejects.toThrow(
      StoreUnavailableError,
    );
    proxy.heal();
    expect((await Promise.all(answers)).map(({ version }) => version)).toEqual(upTo(10).fill(1));
    expect(await read).toHaveLength(1);
    for (const stream of streams) expect(await idsIn(stream)).toHaveLength(1);
  });

  test('at every other append neither loses nor duplicates events', async () => {
    const stream = newStream();
    const before = await nextPosition();
    const events = newEvents(30);
    for (const [index, event] of events.entries()) {
      if (index % 3 === 0) void proxy.dropAnswerTo(single, 'reset');
      const answer = store.append(stream, [event], index || 'no-stream');
      if (index % 3 === 1) setImmediate(() => proxy.reset());
      expect((await answer).version).toBe(index + 1);
    }
    expect(await idsIn(stream)).toEqual(events.map(({ eventId }) => eventId));
    expect(await nextPosition()).toBe(before + 30);
  });

  test('that prevents a connection stores nothing', async () => {
    const nowhere = createPool({
      connectionString: 'postgres://postgres@127.0.0.1:1/nowhere',
      applicationName: 'nowhere',
    });
    const lost = new PostgresEventStore({ pool: nowhere });
    await expect(
      lost.append(newStream(), newEvents(1), 'no-stream', { timeoutMs: 200 }),
    ).rejects.toThrow(StoreUnavailableError);
    await expect(lost.head({ timeoutMs: 200 })).rejects.toThrow(StoreUnavailableError);
    await lost.close();
    await nowhere.end();
  });
});
