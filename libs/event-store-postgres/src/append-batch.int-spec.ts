import fc from 'fast-check';
import { sql } from 'kysely';

import {
  CounterChangedError,
  type CounterValue,
  type EventStore,
  type EventToAppend,
  type ExpectedVersion,
  InMemoryEventStore,
} from '#event-sourcing';
import {
  type TestDatabase,
  type TestServer,
  newStream,
  openTestDatabase,
  openTestServer,
} from '#testing';

import { PostgresEventStore } from './postgres-event-store.js';

type Append = Readonly<{
  stream: number;
  events: EventToAppend[];
  expected: ExpectedVersion;
  counter: CounterValue | undefined;
}>;

const counted: CounterValue = { name: 'transformations counted', value: 2 };

let server: TestServer;
let database: TestDatabase;
let store: PostgresEventStore;

beforeAll(async () => {
  server = await openTestServer();
  database = await openTestDatabase(server);
  store = new PostgresEventStore({ pool: database.pool });
  await sql`insert into throughline.counters values (${counted.name}, ${counted.value})`.execute(
    database.db,
  );
}, 60_000);

afterAll(async () => {
  await store.close();
  await database.close();
  await server.close();
});

/**
 * Few streams and versions, so that appends meet and conflict. Every event has a unique id. Some appends are repeated
 * unchanged, as by a caller that received no answer, or with another value of their counter.
 */
const appends: fc.Arbitrary<Append[]> = fc
  .array(
    fc.record({
      stream: fc.nat(2),
      count: fc.integer({ min: 1, max: 3 }),
      expected: fc.constantFrom<ExpectedVersion>(
        'any',
        'no-stream',
        'stream-exists',
        1,
        2,
        3,
        4,
        5,
      ),
      counter: fc.constantFrom(
        undefined,
        counted,
        { ...counted, value: 1 },
        { name: 'missing counter', value: 0 },
        { name: 'missing counter', value: 1 },
      ),
      repeats: fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.nat() },
      ),
    }),
    { minLength: 1, maxLength: 100 },
  )
  .map((generated) =>
    generated.reduce<Append[]>((calls, { stream, count, expected, counter, repeats }, index) => {
      const repeated = repeats === undefined ? undefined : calls[repeats % calls.length];
      const events = Array.from({ length: count }, (_, n) => eventOf(index * 3 + n));
      return [...calls, { ...(repeated ?? { stream, events, expected }), counter }];
    }, []),
  );

describe('an append that depends on a counter', () => {
  test.each([
    ['single', 1],
    ['in a batch', 3],
  ])('throws CounterChangedError if the counter has another value: %s', async (_, count) => {
    const counter = { ...counted, value: 1 };
    const appending = Array.from({ length: count }, (_, n) =>
      store.append(newStream(), [eventOf(n)], 'no-stream', { counter }),
    );
    for (const { reason } of (await Promise.allSettled(appending)) as PromiseRejectedResult[])
      expect(reason).toBeInstanceOf(CounterChangedError);
  });

  test('is answered as a repetition if the counter changed after it was stored', async () => {
    const stream = newStream();
    const counter = { name: 'grows', value: 0 };
    const first = await store.append(stream, [eventOf(1)], 'no-stream', { counter });
    await sql`insert into throughline.counters values ('grows', 1)`.execute(database.db);
    const again = await store.append(stream, [eventOf(1)], 'no-stream', { counter });
    expect(again).toEqual({ ...first, isRepeat: true });
  });
});

describe('concurrent appends', () => {
  test('have the same results as sequential appends in memory', async () => {
    await fc.assert(
      fc.asyncProperty(appends, async (calls) => {
        const memory = new InMemoryEventStore();
        memory.counters.set(counted.name, counted.value);
        const streams = [newStream(), newStream(), newStream()];
        const expected: unknown[] = [];
        for (const call of calls) expected.push(await outcome(memory, call, streams));
        expect(await Promise.all(calls.map((call) => outcome(store, call, streams)))).toEqual(
          expected,
        );
        for (const stream of streams)
          expect(await contents(store, stream)).toEqual(await contents(memory, stream));
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});

function eventOf(id: number): EventToAppend {
  return {
    eventId: `0190a5c8-7f3b-7d4e-9a10-${String(id).padStart(12, '0')}`,
    type: 'Noted',
    data: `${id}`,
    metadata: '{}',
  };
}

async function outcome(
  target: EventStore,
  { stream, events, expected, counter }: Append,
  streams: readonly string[],
): Promise<unknown> {
  return target.append(streams[stream] ?? '', events, expected, { counter }).then(
    ({ version, isRepeat }) =>
      isRepeat && dependsOnWrongValue(counter) ? notStored : [version, isRepeat],
    (error: Error) => (dependsOnWrongValue(counter) ? notStored : error.name),
  );
}

/**
 * The outcome of an append with a wrong value of its counter. The exact outcome depends on the content of the stream
 * when the append is checked, which other appends may have changed.
 */
const notStored = 'not stored now';

function dependsOnWrongValue(counter: CounterValue | undefined): boolean {
  return (
    counter !== undefined && counter.value !== (counter.name === counted.name ? counted.value : 0)
  );
}

async function contents(target: EventStore, stream: string): Promise<unknown> {
  const stored = await target.readStream(stream, { limit: 1_000 });
  return stored.map(({ version, eventId, data }) => [version, eventId, data]);
}
