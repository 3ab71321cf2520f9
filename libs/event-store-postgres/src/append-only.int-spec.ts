import { createPool } from '#database';
import { OutcomeUnknownError, StorageFullError, StoreUnavailableError } from '#event-sourcing';
import {
  type TestDatabase,
  type TestServer,
  failure,
  newEvents,
  newStream,
  openTestDatabase,
  openTestServer,
  upTo,
} from '#testing';

import { PostgresEventStore } from './postgres-event-store.js';

let server: TestServer;
let database: TestDatabase;
let store: PostgresEventStore;

beforeAll(async () => {
  server = await openTestServer();
  database = await openTestDatabase(server);
  store = new PostgresEventStore({ pool: database.pool });
  await store.append('stored', newEvents(3), 'no-stream');
}, 60_000);

afterAll(async () => {
  await store.close();
  await database.close();
  await server.close();
});

describe('stored data', () => {
  test.each([
    ['an event changed', `update throughline.events set data = '{}' where version = 2`],
    ['an event changed to itself', 'update throughline.events set data = data where false'],
    ['an event deleted', 'delete from throughline.events where version = 3'],
    ['all events truncated', 'truncate throughline.events'],
    ['all tables truncated', 'truncate throughline.events, throughline.streams cascade'],
    ['a stream deleted', 'delete from throughline.streams'],
    ['a stream renamed', `update throughline.streams set stream = 'x'`],
    [
      'a version taken twice',
      `insert into throughline.events
       select position + 1000, stream_id, event_id, version, type, data, metadata from throughline.events`,
    ],
    [
      'a position taken twice',
      `insert into throughline.events
       select position, stream_id, event_id, version + 1000, type, data, metadata from throughline.events`,
    ],
  ])('rejects a statement with %s', async (_, statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow(/refuses|violates/);
    expect(await store.readStream('stored', { limit: 10 })).toHaveLength(3);
  });
});

describe('an append that the server rejects', () => {
  /** Makes the server raise `state` for the first `times` events of this type. */
  async function raise(state: string, type: string, times: number): Promise<void> {
    await database.pool.query(`
      drop sequence if exists faults;
      create sequence faults;
      create or replace function raise_fault() returns trigger language plpgsql as $$
      begin
        if new.type = '${type}' and nextval('faults') <= ${times} then
          raise exception 'made to fail' using errcode = '${state}';
        end if;
        return new;
      end $$;
      create or replace trigger faulty before insert on throughline.events
      for each row execute function raise_fault()`);
  }

  afterEach(() => database.pool.query('drop trigger faulty on throughline.events'));

  function typed(type: string) {
    return newEvents(1).map((event) => ({ ...event, type }));
  }

  test.each([
    ['a serialization failure', '40001'],
    ['a deadlock', '40P01'],
    ['a lock timeout', '55P03'],
    ['a cancelled statement', '57014'],
    ['too little memory', '53200'],
  ])('is retried after %s and stored once', async (_, state) => {
    await raise(state, 'Fragile', 2);
    const stream = newStream();
    for (const expected of ['no-stream', 'any'] as const)
      await store.append(expected === 'any' ? newStream() : stream, typed('Fragile'), expected);
    expect(await store.readStream(stream, { limit: 10 })).toHaveLength(1);
  });

  test('that fails repeatedly ends at its deadline with nothing stored', async () => {
    await raise('40001', 'Fragile', 1_000_000);
    const stream = newStream();
    const error = await failure(
      store.append(stream, typed('Fragile'), 'no-stream', { timeoutMs: 150 }),
    );
    // Which error depends on whether an attempt is in progress at the deadline: see pending-append.spec.ts.
    expect([StoreUnavailableError, OutcomeUnknownError]).toContain(Object(error).constructor);
    expect(await store.readStream(stream, { limit: 10 })).toEqual([]);
  });

  test('throws StorageFullError on a full disk, stores nothing, and succeeds after space was freed', async () => {
    await raise('53100', 'Fragile', 1);
    const stream = newStream();
    const events = typed('Fragile');
    await expect(store.append(stream, events, 'no-stream')).rejects.toThrow(StorageFullError);
    expect(await store.readStream(stream, { limit: 10 })).toEqual([]);
    expect((await store.append(stream, events, 'no-stream')).version).toBe(1);
  });

  test('that is faulty fails alone: the rest of its batch is stored', async () => {
    await raise('22000', 'Poison', 1_000_000);
    const streams = upTo(20).map(newStream);
    const outcomes = await Promise.allSettled(
      streams.map((stream, n) =>
        store.append(stream, n === 7 ? typed('Poison') : newEvents(1), 'no-stream'),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
    expect(outcomes[7]).toMatchObject({ reason: expect.any(StoreUnavailableError) });
    expect(await store.readStream(streams[7] ?? '', { limit: 1 })).toEqual([]);
  });
});

describe('a database with serializable isolation by default', () => {
  test('rejects appends with an error that names the isolation level', async () => {
    const strict = await openTestDatabase(server);
    await strict.pool.query(
      `do $$ begin execute format('alter database %I set default_transaction_isolation = serializable', current_database()); end $$`,
    );
    const pool = createPool({
      connectionString: strict.connectionString,
      applicationName: 'strict',
    });
    const strictStore = new PostgresEventStore({ pool });
    const refusal = await strictStore
      .append(newStream(), newEvents(1), 'no-stream')
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreUnavailableError);
    expect(refusal).toMatchObject({
      cause: { message: 'events are appended in READ COMMITTED, not in serializable' },
    });
    await strictStore.close();
    await pool.end();
    await strict.close();
  });
});
