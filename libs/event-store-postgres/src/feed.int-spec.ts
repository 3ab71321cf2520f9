import { setTimeout as delay } from 'node:timers/promises';

import { createPool } from '#database';
import { type StoredEvent, VersionConflictError } from '#event-sourcing';
import {
  type TestDatabase,
  type TestServer,
  collect,
  failure,
  newEvents,
  newStream,
  openTestDatabase,
  openTestServer,
  readLog,
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
    max: 20,
  });
  store = new PostgresEventStore({ pool: database.pool, pollMs: 60_000 });
  rival = new PostgresEventStore({ pool: rivalPool });
}, 60_000);

afterAll(async () => {
  await Promise.all([store.close(), rival.close()]);
  await rivalPool.end();
  await database.close();
  await server.close();
});

/** The positions that a reader gets that repeatedly reads after the last position, until it is stopped. */
async function readAfterLast(table: string, stop: AbortSignal): Promise<bigint[]> {
  const positions: bigint[] = [];
  for (let isLast = false; ;) {
    const { rows } = await rivalPool.query<{ position: bigint }>(
      `select position from ${table} where position > $1 order by position`,
      [positions.at(-1) ?? 0n],
    );
    positions.push(...rows.map(({ position }) => position));
    if (isLast) return positions;
    isLast = stop.aborted;
  }
}

/** A transaction that draws a position, waits, and commits. */
async function slowly(statement: string, values: unknown[], milliseconds: number): Promise<void> {
  const client = await rivalPool.connect();
  try {
    await client.query('begin');
    await client.query(statement, values);
    await delay(milliseconds);
    await client.query('commit');
  } finally {
    client.release();
  }
}

describe('the feed under writers that commit out of order', () => {
  test('delivers every event once and in order, although reading after a sequence value loses events', async () => {
    await database.pool.query(
      'create table naive (position bigint generated always as identity primary key, writer int)',
    );
    const before = await store.head();
    const stop = new AbortController();
    const naive = readAfterLast('naive', stop.signal);
    const streams = upTo(8).map(newStream);
    const following = collect(store, before, 8 * 60 + 10);
    await Promise.all([
      ...upTo(8).map(async (writer) => {
        for (let n = 0; n < 30; n++)
          await slowly('insert into naive (writer) values ($1)', [writer], Math.random() * 20);
      }),
      ...streams.map(async (stream, n) => {
        for (let version = 0; version < 60; version += 2)
          await (n % 2 ? store : rival).append(stream, newEvents(2), version || 'no-stream');
      }),
      (async () => {
        for (const [index, { eventId }] of newEvents(10).entries())
          await slowly(
            `select throughline.append_events('slow', $1, array[$2::uuid], '{Slow}', '{1}', '{1}')`,
            [index, eventId],
            Math.random() * 50,
          );
      })(),
    ]);
    stop.abort();

    const { rows } = await database.pool.query<{ count: number }>(
      'select count(*)::int from naive',
    );
    expect(rows[0]?.count).toBe(8 * 30);
    expect((await naive).length).toBeLessThan(8 * 30);

    const seen = await following;
    expect(new Set(seen.map(({ position }) => position)).size).toBe(8 * 60 + 10);
    for (const stream of streams) expect(versionsOf(seen, stream)).toEqual(upTo(60));
    expect(versionsOf(seen, 'slow')).toEqual(upTo(10));
    expect(seen).toEqual(await readLog(store, before));
  }, 60_000);

  test('has dense positions after rejected and rolled back appends', async () => {
    const before = await store.head();
    const stream = newStream();
    for (let version = 0; version < 20; version++) {
      await store.append(stream, newEvents(1), version || 'no-stream');
      const refused = await failure(store.append(stream, newEvents(1), 'no-stream'));
      expect(refused).toBeInstanceOf(VersionConflictError);
      const client = await rivalPool.connect();
      await client.query('begin');
      await client.query(
        `select throughline.append_events($1, 0, array[gen_random_uuid()], '{A}', '{1}', '{1}')`,
        [newStream()],
      );
      await client.query('rollback');
      client.release();
    }
    const positions = (await store.readAll({ after: before, limit: 100 })).map(({ position }) =>
      store.countBetween(before, position),
    );
    expect(positions).toEqual(upTo(20));
  });
});

describe('a subscriber', () => {
  async function listeners(): Promise<number[]> {
    const { rows } = await rivalPool.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where query = 'listen throughline_log' and state = 'idle' and datname = current_database()`,
    );
    return rows.map(({ pid }) => pid);
  }

  test('is woken by appends of another process on one shared connection', async () => {
    const before = await store.head();
    const following = upTo(5).map(() => collect(store, before, 1));
    await waitFor('a connection that listens', listeners, { until: ({ length }) => length > 0 });
    const [event] = newEvents(1);
    if (!event) throw new Error('no event was created');
    await rival.append(newStream(), [event], 'no-stream');
    for (const seen of await Promise.all(following)) expect(seen[0]).toMatchObject(event);
    expect(await listeners()).toHaveLength(1);
  });

  test('is woken after its listening connection was terminated', async () => {
    const before = await store.head();
    const following = collect(store, before, 1);
    const [old = 0] = await waitFor('a connection that listens', listeners, {
      until: ({ length }) => length > 0,
    });
    await rivalPool.query('select pg_terminate_backend($1)', [old]);
    await waitFor('another connection that listens', listeners, {
      until: ([current = old]) => current !== old,
    });
    await rival.append(newStream(), newEvents(1), 'no-stream');
    expect(await following).toHaveLength(1);
  });

  test('is woken by appends of the same process without a notification of the server', async () => {
    const before = await store.head();
    const following = collect(store, before, 1);
    await store.append(newStream(), newEvents(1), 'no-stream');
    expect(await following).toHaveLength(1);
  });

  test('receives all of many large events in small batches', async () => {
    const before = await store.head();
    const large = newEvents(30).map((event) => ({ ...event, data: `"${'x'.repeat(1_000_000)}"` }));
    for (const event of large) await store.append(newStream(), [event], 'no-stream');
    const batches: number[] = [];
    const ended = new AbortController();
    let seen = 0;
    for await (const batch of store.subscribeAll({
      after: before,
      batchSize: 500,
      signal: ended.signal,
    })) {
      batches.push(batch.length);
      seen += batch.length;
      if (seen === 30) ended.abort();
    }
    expect(batches).toEqual([9, 9, 9, 3]);
  });

  test('finds events without a notification by polling', async () => {
    const polling = new PostgresEventStore({ pool: rivalPool, pollMs: 20 });
    const before = await polling.head();
    const following = collect(polling, before, 1);
    await rivalPool.query(`
      with silent as (insert into throughline.streams (stream) values ('silent') returning stream_id)
      insert into throughline.events (position, stream_id, event_id, version, type, data, metadata)
      select (select max(position) + 1 from throughline.events), stream_id, gen_random_uuid(), 1, 'Silent', '1', '1'
      from silent`);
    expect((await following)[0]?.type).toBe('Silent');
    await polling.close();
  });
});

describe('a log that was copied to a new cluster', () => {
  test('continues after the same checkpoint without skipping or repeating events', async () => {
    const stream = newStream();
    await store.append(stream, newEvents(4), 'no-stream');
    const all = await readLog(store, 'start');
    const checkpoint = all.at(-3)?.position;
    if (!checkpoint) throw new Error('four events were stored');
    const otherServer = await openTestServer();
    const copy = await openTestDatabase(otherServer);
    const restored = new PostgresEventStore({ pool: copy.pool });
    try {
      await copyLog(database.pool, copy.pool);
      expect(await transactionId(copy.pool)).toBeLessThan(await transactionId(database.pool));
      expect(await restored.identity()).toBe(await store.identity());
      await restored.append(stream, newEvents(2), 4);
      await restored.append(newStream(), newEvents(1), 'no-stream');
      const rest = await collect(restored, checkpoint, 5);
      expect(rest.slice(0, 2)).toEqual(all.slice(-2));
      expect(rest.slice(2).map(({ version }) => version)).toEqual([5, 6, 1]);
      expect(rest.map(({ position }) => restored.countBetween(checkpoint, position))).toEqual(
        upTo(5),
      );
      expect((await readLog(restored, 'start')).slice(0, all.length)).toEqual(all);
    } finally {
      await restored.close();
      await copy.close();
      await otherServer.close();
    }
  }, 60_000);
});

function versionsOf(events: readonly StoredEvent[], stream: string): number[] {
  return events.filter((event) => event.stream === stream).map(({ version }) => version);
}

async function transactionId(pool: Pool): Promise<bigint> {
  const { rows } = await pool.query('select pg_current_xact_id()::text::bigint as id');
  return rows[0].id;
}

/** Copies the log like a dump and restore: rows unchanged, triggers disabled, sequences after their last value. */
async function copyLog(from: Pool, to: Pool): Promise<void> {
  const client = await to.connect();
  await client.query('set session_replication_role = replica');
  await client.query('delete from throughline.store_identity');
  for (const table of ['store_identity', 'streams', 'events']) {
    const { rows } = await from.query(
      `select coalesce(json_agg(t), '[]')::text as rows from throughline.${table} t`,
    );
    await client.query(
      `insert into throughline.${table} overriding system value
       select * from json_populate_recordset(null::throughline.${table}, $1)`,
      [rows[0].rows],
    );
  }
  await client.query(
    `select setval(pg_get_serial_sequence('throughline.streams', 'stream_id'), max(stream_id)) from throughline.streams`,
  );
  client.release(true);
}
