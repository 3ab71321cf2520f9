import fc from 'fast-check';

import { type EventStore, InMemoryEventStore } from '#event-sourcing';
import { HistoryWriter, did, readLog, useTestStore } from '#testing';

import { copyLog } from './copy-log.js';

const outputs = (count: number) =>
  Array.from({ length: count }, (_, n) => did('StepOutputAdded', { stepId: `s-${n}`, output: n }));

const eventsOf = async (store: EventStore) =>
  (await readLog(store, 'start')).map(({ position: _, ...event }) => event);

const signal = new AbortController().signal;

describe('copying a log between any two stores', () => {
  const one = useTestStore();
  const other = useTestStore();

  it('copies from memory to PostgreSQL, and from there to another PostgreSQL', async () => {
    const memory = new InMemoryEventStore('memory');
    const history = new HistoryWriter(memory);
    for (const contextId of ['a', 'b', 'a']) await history.append(contextId, ...outputs(700));
    await copyLog({ from: memory, to: one.store, signal });
    const report = await copyLog({ from: one.store, to: other.store, signal });
    expect(report).toMatchObject({ events: 2_100, copied: 2_100, streams: 2 });
    expect(await eventsOf(other.store)).toEqual(await eventsOf(memory));
  });
});

describe('an interrupted copy', () => {
  const appends = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 9 })),
  );
  const interruptions = fc.array(fc.nat(12), { maxLength: 6 });

  it('is a prefix of the source at every moment, and complete after a full run', async () => {
    await fc.assert(
      fc.asyncProperty(appends, interruptions, async (runs, afterAppends) => {
        const from = new InMemoryEventStore('from');
        const to = new InMemoryEventStore('to');
        const history = new HistoryWriter(from);
        for (const [context, count] of runs)
          await history.append(`c-${context}`, ...outputs(count));
        const source = await eventsOf(from);
        for (const cut of afterAppends) {
          const cutting = abortAfter(to, cut);
          const [copied] = await Promise.allSettled([copyLog({ from, to, signal: cutting })]);
          if (copied.status === 'rejected') expect(copied.reason).toBe(cutting.reason);
          const copiedEvents = await eventsOf(to);
          expect(copiedEvents).toEqual(source.slice(0, copiedEvents.length));
        }
        await copyLog({ from, to, signal });
        expect(await eventsOf(to)).toEqual(source);
      }),
      { numRuns: 60 },
    );
  });
});

/** A signal that aborts after the given number of appends. */
function abortAfter(store: EventStore, appends: number): AbortSignal {
  const ends = new AbortController();
  const append = store.append;
  let remaining = appends;
  store.append = async (...call) => {
    const result = await append.apply(store, call);
    if (remaining-- === 0) ends.abort();
    return result;
  };
  return ends.signal;
}
