import { createPool } from '#database';
import { type ExpectedVersion, VersionConflictError } from '#event-sourcing';
import {
  type TestDatabase,
  type TestServer,
  newEvents,
  newStream,
  openTestDatabase,
  openTestServer,
  startProgram,
  upTo,
  waitFor,
} from '#testing';
import { type Pool } from 'pg';

import { PostgresEventStore } from './postgres-event-store.js';

let server: TestServer;
let database: TestDatabase;
let rivalPool: Pool;
let store: PostgresEventStore;
let rival: PostgresEventStore;

beforeAll(async () => {
  server = await openTestServer();
  database = await openTestDatabase(server);
  rivalPool = createPool({
    connectionString: database.connectionString,
    applicationName: 'rival',
  });
  store = new PostgresEventStore({ pool: database.pool });
  rival = new PostgresEventStore({ pool: rivalPool });
}, 60_000);

afterAll(async () => {
  await Promise.all([store.close(), rival.close()]);
  await rivalPool.end();
  await database.close();
  await server.close();
});

/** Blocks all commits until `release`; `waiting` resolves when this many sessions wait for a lock. */
async function holdLog(): Promise<{
  waiting: (sessions: number) => Promise<number[]>;
  release: () => Promise<void>;
}> {
  const holder = await rivalPool.connect();
  await holder.query('begin; select throughline.lock_log()');
  return {
    waiting: async (sessions) => {
      const find = async () => {
        const { rows } = await database.pool.query<{ pid: number }>(
          `select pid from pg_stat_activity
           where wait_event_type = 'Lock' and datname = current_database() order by query_start`,
        );
        return rows.map(({ pid }) => pid);
      };
      return waitFor(`${sessions} sessions that wait for a lock`, find, {
        until: ({ length }) => length >= sessions,
      });
    },
    release: async () => {
      await holder.query('commit');
      holder.release();
    },
  };
}

describe('two sessions that append to one stream at the same time', () => {
  const modes: [ExpectedVersion, number, number][] = [
    [1, 1, 1],
    ['no-stream', 0, 1],
    ['any', 0, 2],
    ['any', 1, 2],
    ['stream-exists', 1, 2],
  ];

  test.each(modes)(
    'expect %p at version %i: %i appends are stored',
    async (expected, version, wins) => {
      const stream = newStream();
      if (version > 0) await store.append(stream, newEvents(version), 'no-stream');
      const log = await holdLog();
      const first = store.append(stream, newEvents(1), expected);
      await log.waiting(1);
      const second = rival.append(stream, newEvents(1), expected);
      await log.waiting(2);
      await log.release();
      const outcomes = await Promise.allSettled([first, second]);
      expect(outcomes[0]).toMatchObject({ value: { version: version + 1 } });
      expect(outcomes[1]).toMatchObject(
        wins === 2
          ? { value: { version: version + 2 } }
          : { reason: expect.any(VersionConflictError) },
      );
      const stored = await store.readStream(stream, { limit: 10 });
      expect(stored.map((event) => event.version)).toEqual(upTo(version + wins));
    },
  );

  test('use the same ids: both get the same answer', async () => {
    const stream = newStream();
    const events = newEvents(2);
    const log = await holdLog();
    const first = store.append(stream, events, 'no-stream');
    await log.waiting(1);
    const second = rival.append(stream, events, 'no-stream');
    await log.waiting(2);
    await log.release();
    expect(await first).toEqual({ ...(await second), isRepeat: !(await second).isRepeat });
    expect(await store.readStream(stream, { limit: 10 })).toHaveLength(2);
  });

  test('do not deadlock with batches that share many streams in opposite order', async () => {
    const streams = upTo(40).map(newStream);
    const deadlocks = async (): Promise<unknown> =>
      (
        await database.pool.query(
          'select pg_stat_clear_snapshot(), deadlocks::int from pg_stat_database where datname = current_database()',
        )
      ).rows[0].deadlocks;
    const before = await deadlocks();
    for (let round = 0; round < 20; round++)
      await Promise.all([
        ...streams.map((stream) => store.append(stream, newEvents(1), 'any')),
        ...streams.toReversed().map((stream) => rival.append(stream, newEvents(1), 'any')),
      ]);
    for (const stream of streams)
      expect(await store.readStream(stream, { limit: 100 })).toHaveLength(40);
    expect(await deadlocks()).toBe(before);
  }, 30_000);
});

describe('a backend that is terminated during an append', () => {
  test('causes one retry, which stores the append once', async () => {
    const stream = newStream();
    const events = newEvents(2);
    const log = await holdLog();
    const append = store.append(stream, events, 'no-stream');
    const [pid] = await log.waiting(1);
    await database.pool.query('select pg_terminate_backend($1)', [pid]);
    await log.waiting(1);
    await log.release();
    expect((await append).version).toBe(2);
    expect(await rival.readStream(stream, { limit: 10 })).toHaveLength(2);
  });
});

describe('forty writers of two processes on one stream', () => {
  test('store every acknowledged event once, in versions without gaps', async () => {
    const stream = newStream();
    const programs = upTo(2).map(() =>
      startProgram('append-events', database.connectionString, stream, '20', '5'),
    );
    const acknowledged = new Map<unknown, unknown>();
    await Promise.all(
      programs.map(async (program) => {
        for (let count = 0; count < 100; count++) {
          const { eventId, version } = await program.next('eventId');
          acknowledged.set(eventId, version);
        }
        expect(await program.next('done')).toBeDefined();
        expect(await program.exitCode).toBe(0);
      }),
    );
    const stored = await store.readStream(stream, { limit: 1_000 });
    expect(stored.map(({ version }) => version)).toEqual(upTo(200));
    expect(new Map(stored.map(({ eventId, version }) => [eventId, version]))).toEqual(
      new Map([...acknowledged].sort((a, b) => Number(a[1]) - Number(b[1]))),
    );
    expect(new Set(stored.map(({ data }) => data)).size).toBe(2);
  }, 60_000);
});
