import fc from 'fast-check';

import { type EventStore, InMemoryEventStore, OutcomeUnknownError } from '#event-sourcing';
import { KurrentEventStore } from '#event-store-kurrentdb';
import { PostgresEventStore } from '#event-store-postgres';
import {
  type TestKurrentDb,
  HistoryWriter,
  contextCommands,
  contextFrom,
  did,
  newEvents,
  openTestKurrentDb,
  readLog,
  useTestStore,
  sized,
} from '#testing';

import { BrokenSourceError, ForeignTargetError, SameStoreError } from './copy-errors.js';
import { copyLog } from './copy-log.js';

const never = new AbortController().signal;

const outputs = (count: number, text = '') =>
  Array.from({ length: count }, (_, n) =>
    did('StepOutputAdded', { stepId: `s-${n % 7}`, output: { n, text } }),
  );

const eventsOf = async (store: EventStore) =>
  (await readLog(store, 'start')).map(({ position: _, ...event }) => event);

async function expectCopied(from: EventStore, to: EventStore): Promise<void> {
  expect(await eventsOf(to)).toEqual(await eventsOf(from));
}

describe('copying a log', () => {
  const on = useTestStore();
  let server: TestKurrentDb;
  let kurrentdb: KurrentEventStore;

  beforeAll(async () => {
    server = await openTestKurrentDb();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    const { connectionString } = server;
    kurrentdb = new KurrentEventStore({ connectionString, namespace: server.namespace() });
  });
  afterEach(() => kurrentdb.close());

  const copy = (from: EventStore, to: EventStore, signal = never) => copyLog({ from, to, signal });

  it('copies every stream from PostgreSQL to KurrentDB, byte for byte and in order, and back', async () => {
    const runs = fc.sample(contextCommands, { numRuns: sized(10, 30), seed: 20261121 });
    for (const [n, commands] of runs.entries())
      await on.history.append(`c-${n}`, ...contextFrom(commands).events);
    for (const contextId of ['a', 'b', 'a']) await on.history.append(contextId, ...outputs(150));
    const report = await copy(on.store, kurrentdb);
    const events = await eventsOf(on.store);
    expect(report).toMatchObject({
      events: events.length,
      copied: events.length,
      streams: new Set(events.map(({ stream }) => stream)).size,
      from: await on.store.identity(),
      to: await kurrentdb.identity(),
    });
    await expectCopied(on.store, kurrentdb);

    const back = new InMemoryEventStore('back');
    await copy(kurrentdb, back);
    await expectCopied(on.store, back);
    expect(await copy(on.store, kurrentdb)).toMatchObject({ events: events.length, copied: 0 });
  });

  it('copies an empty store, and later events with the next copy', async () => {
    expect(await copy(on.store, kurrentdb)).toMatchObject({ events: 0, copied: 0, streams: 0 });
    await on.history.append('a', did('ContextCreated', {}), ...outputs(3));
    expect(await copy(on.store, kurrentdb)).toMatchObject({ events: 4, copied: 4 });
    await on.history.append('a', ...outputs(2));
    expect(await copy(on.store, kurrentdb)).toMatchObject({ events: 6, copied: 2, streams: 1 });
    await expectCopied(on.store, kurrentdb);
  });

  it('copies events of the maximum append size', async () => {
    await on.history.append('a', did('ContextCreated', {}));
    for (let n = 0; n < 4; n++) await on.history.append('a', ...outputs(1, 'x'.repeat(900_000)));
    await copy(on.store, kurrentdb);
    await expectCopied(on.store, kurrentdb);
  });

  it('continues after an interruption at any event', async () => {
    await on.history.append('a', did('ContextCreated', {}), ...outputs(300));
    for (let n = 0; n < 40; n++) await on.history.append(`b-${n % 9}`, ...outputs(1 + (n % 5)));
    for (let cut = 0; ; cut += 7) {
      const ends = new AbortController();
      let appends = 0;
      const target = afterEachAppend(
        kurrentdb,
        () => appends++ === cut && ends.abort(new Error('cut')),
      );
      const outcome = await copy(on.store, target, ends.signal).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) break;
      expect(outcome.message).toBe('cut');
    }
    await expectCopied(on.store, kurrentdb);
  });

  it('does not copy events twice that the target stored without an answer', async () => {
    await on.history.append('a', did('ContextCreated', {}), ...outputs(5));
    const losing = afterEachAppend(kurrentdb, () => {
      throw new OutcomeUnknownError('the answer was lost');
    });
    await expect(copy(on.store, losing)).rejects.toThrow(OutcomeUnknownError);
    expect(await copy(on.store, kurrentdb)).toMatchObject({ events: 6, copied: 0 });
    await expectCopied(on.store, kurrentdb);
  });

  it('copies events that are written to the source during the copy', async () => {
    await on.history.append('a', did('ContextCreated', {}), ...outputs(400));
    const writing = (async () => {
      for (let n = 0; n < 30; n++) {
        await on.history.append('a', ...outputs(2));
      }
    })();
    await copy(on.store, kurrentdb);
    await writing;
    await copy(on.store, kurrentdb);
    await expectCopied(on.store, kurrentdb);
  });

  it('ends if the source grows faster than it is copied, and reports that', async () => {
    await on.history.append('a', did('ContextCreated', {}));
    let written = 0;
    const source = {
      ...afterEachAppend(on.store, () => {}),
      // Every round of the copy reads the head first, and finds one more event.
      head: async () => {
        await on.history.append('a', ...outputs(1));
        written++;
        return on.store.head();
      },
    };
    const report = await copy(source, kurrentdb);
    expect(report).toMatchObject({ caughtUp: false, events: report.copied });
    expect(report.copied).toBe(1 + written);
    expect(await copy(on.store, kurrentdb)).toMatchObject({ caughtUp: true });
    await expectCopied(on.store, kurrentdb);
  });

  it('refuses to copy a store to itself', async () => {
    const again = new PostgresEventStore({ pool: on.pool });
    await expect(copy(on.store, again)).rejects.toThrow(SameStoreError);
    await again.close();
  });

  const foreign: [string, (target: HistoryWriter) => Promise<unknown>, RegExp][] = [
    ['another stream', (target) => target.append('z', did('ContextCreated', {})), /"context-.*:z"/],
    [
      'another event at the same version',
      (target) => target.append('a', did('ContextCreated', { title: 'Another' })),
      /"context-.*:a" version 1, whose eventId/,
    ],
  ];

  it.each(foreign)('refuses a target that contains %s, and names it', async (_, write, named) => {
    await on.history.append('a', did('ContextCreated', {}), ...outputs(3));
    await write(new HistoryWriter(kurrentdb));
    const before = await eventsOf(kurrentdb);
    const refusal = await copy(on.store, kurrentdb).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ForeignTargetError);
    expect(String(refusal)).toMatch(named);
    expect(await eventsOf(kurrentdb)).toEqual(before);
  });

  it('refuses a target with events after the copy', async () => {
    await on.history.append('a', did('ContextCreated', {}));
    await copy(on.store, kurrentdb);
    await kurrentdb.append('context-default:a', newEvents(1), 1);
    await expect(copy(on.store, kurrentdb)).rejects.toThrow(/"context-default:a" version 2/);
  });

  it('stops at the first event of the source that breaks its hash chain', async () => {
    await on.history.append('a', did('ContextCreated', {}), ...outputs(5));
    await on.pool.query(`
      begin; set local session_replication_role = replica;
      update throughline.events set data = replace(data, '2', '7') where version = 4; commit`);
    const refusal = await copy(on.store, kurrentdb).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BrokenSourceError);
    expect(refusal).toMatchObject({ stream: 'context-default:a', version: 4 });
    expect((await eventsOf(kurrentdb)).length).toBeLessThan(4);
  });
});

/** The store, with a callback after each append. */
function afterEachAppend(store: EventStore, after: () => unknown): EventStore {
  return {
    append: async (...call) => {
      const result = await store.append(...call);
      await after();
      return result;
    },
    readStream: (...call) => store.readStream(...call),
    readAll: (...call) => store.readAll(...call),
    subscribeAll: (...call) => store.subscribeAll(...call),
    head: (...call) => store.head(...call),
    comparePositions: (...call) => store.comparePositions(...call),
    countBetween: (...call) => store.countBetween(...call),
    identity: (...call) => store.identity(...call),
  };
}
