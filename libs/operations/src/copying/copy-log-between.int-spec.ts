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

  it('brings it from memory to PostgreSQL, and from there to another PostgreSQL', async () => {
    const memory = new InMemoryEventStore('memory');
    const history = new HistoryWriter(memory);
    for (const contextId of ['a', 'b', 'a']) await history.append(contextId, ...outputs(700));
    await copyLog({ from: memory, to: one.store, signal });
    const report = await copyLog({ from: one.store, to: other.store, signal });
    expect(report).toMatchObject({ events: 2_100, copied: 2_100, streams: 2 });
    expect(await eventsOf(other.store)).toEqual(await eventsOf(memory));
  });
});

describe('a copy that is broken off', () => {
  const appends = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 9 })),
  );
  const cuts = fc.array(fc.nat(12), { maxLength: 6 });

  it('is a beginning of the source at any moment, and whole once it is run to its end', async () => {
    await fc.assert(
      fc.asyncProperty(appends, cuts, async (runs, afterAppends) => {
        const from = new InMemoryEventStore('from');
        const to = new InMemoryEventStore('to');
        const history = new HistoryWriter(from);
        for (const [context, count] of runs)
          await history.append(`c-${context}`, ...outputs(count));
        const whole = await eventsOf(from);
        for (const cut of afterAppends) {
          const cutting = abortBehind(to, cut);
          const [copied] = await Promise.allSettled([copyLog({ from, to, signal: cutting })]);
          if (copied.status === 'rejected') expect(copied.reason).toBe(cutting.reason);
          const held = await eventsOf(to);
          expect(held).toEqual(whole.slice(0, held.length));
        }
        await copyLog({ from, to, signal });
        expect(await eventsOf(to)).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });
});

/** A signal that is given once so many appends are stored. */
function abortBehind(store: EventStore, appends: number): AbortSignal {
  const ends = new AbortController();
  const append = store.append;
  let left = appends;
  store.append = async (...call) => {
    const result = await append.apply(store, call);
    if (left-- === 0) ends.abort();
    return result;
  };
  return ends.signal;
}
