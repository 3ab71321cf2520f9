import fc from 'fast-check';

import {
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

type Append = Readonly<{ stream: number; events: EventToAppend[]; expected: ExpectedVersion }>;

let server: TestServer;
let database: TestDatabase;
let store: PostgresEventStore;

beforeAll(async () => {
  server = await openTestServer();
  database = await openTestDatabase(server);
  store = new PostgresEventStore({ pool: database.pool });
}, 60_000);

afterAll(async () => {
  await store.close();
  await database.close();
  await server.close();
});

/**
 * Few streams and versions, so that appends meet and conflict; every event has an id of its own, as a UUID has, and
 * some appends are repeated as they are, as a caller does who got no answer.
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
      repeats: fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.nat() },
      ),
    }),
    { minLength: 1, maxLength: 100 },
  )
  .map((stated) =>
    stated.reduce<Append[]>((calls, { stream, count, expected, repeats }, index) => {
      const repeated = repeats === undefined ? undefined : calls[repeats % calls.length];
      const events = Array.from({ length: count }, (_, n) => eventOf(index * 3 + n));
      return [...calls, repeated ?? { stream, events, expected }];
    }, []),
  );

describe('appends called at once', () => {
  test('do what they do one after another in memory', async () => {
    await fc.assert(
      fc.asyncProperty(appends, async (calls) => {
        const memory = new InMemoryEventStore();
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
  { stream, events, expected }: Append,
  streams: readonly string[],
): Promise<unknown> {
  return target.append(streams[stream] ?? '', events, expected).then(
    ({ version }) => version,
    (error: Error) => error.name,
  );
}

async function contents(target: EventStore, stream: string): Promise<unknown> {
  const stored = await target.readStream(stream, { limit: 1_000 });
  return stored.map(({ version, eventId, data }) => [version, eventId, data]);
}
