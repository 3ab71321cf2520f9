import { type EventStore } from '#event-sourcing';
import { ContextReader } from '#read-models';
import { did, useTestStore } from '#testing';
import { VisibilityFilter, FilteredReader } from '#visibility';

import { type EventRange, readEventsPage } from './events-page.js';

const id = { workspace: 'default', contextId: 'c' };
const working = new VisibilityFilter(
  { show: [{ types: ['*'], visibility: ['working'] }] },
  { audience: 'x', agentId: null },
);

describe('a page of events', () => {
  const test = useTestStore();

  /** Writes a context with this number of outputs and one decision at its end. */
  const grow = async (outputs: number, output: string = 'o') => {
    // An append holds at most a megabyte.
    const atOnce = output.length > 1 ? 1 : 500;
    await test.history.append('c', did('ContextCreated', {}));
    for (let at = 0; at < outputs; at += atOnce)
      await test.history.append(
        'c',
        ...Array.from({ length: Math.min(atOnce, outputs - at) }, (_, n) =>
          did('StepOutputAdded', { stepId: `s-${at + n}`, output }),
        ),
      );
    await test.history.append(
      'c',
      did('DecisionRecorded', { decisionId: 'D', decision: 'd' }, 'working'),
    );
  };

  /** Reads a page, and counts the events that were read from the store. */
  const read = async (
    range: Partial<EventRange> & { until: number },
    filter?: VisibilityFilter,
  ) => {
    const { db, store } = test;
    let events = 0;
    const counted: Pick<EventStore, 'readStream'> = {
      readStream: async (...call) => {
        const found = await store.readStream(...call);
        events += found.length;
        return found;
      },
    };
    // A reader of one context only reads streams.
    const reader = new ContextReader(db, counted as EventStore);
    const filteredReader = new FilteredReader(reader, store, db);
    const page = await readEventsPage(
      filteredReader,
      { id, filter },
      { after: 0, limit: 50, ...range },
    );
    return { ...page, versions: page.events.map(({ version }) => version), read: events };
  };

  it('examines a bounded number of events for types without a match, at any length of the history', async () => {
    await grow(12_000);
    const types = new Set(['DecisionRecorded']);
    const taken = [];
    for (const until of [6_000, 12_002]) {
      const page = await read({ until, types });
      expect(page).toMatchObject({ versions: [], next: 5_000 });
      taken.push(page.read);
    }
    expect(taken[0]).toBe(taken[1]);
    const second = await read({ after: 5_000, until: 12_002, types });
    expect(second).toMatchObject({ versions: [], next: 10_000 });
    const last = await read({ after: 10_000, until: 12_002, types });
    expect(last).toMatchObject({ versions: [12_002], next: undefined });
  });

  it('examines a bounded number of events if a visibility filter hides all of them', async () => {
    await grow(6_000);
    expect(await read({ until: 6_002 }, working)).toMatchObject({ versions: [1], next: 5_000 });
    const { versions, next } = await read({ after: 5_000, until: 6_002 }, working);
    expect([versions, next]).toEqual([[6_002], undefined]);
  });

  it('examines a bounded number of bytes', async () => {
    await grow(40, 'o'.repeat(1_000_000));
    const types = new Set(['DecisionRecorded']);
    const { next, read: events } = await read({ until: 42, types });
    expect(next).toBeLessThan(25);
    expect(events).toBeLessThan(40);
    expect(await read({ after: next ?? 0, until: next ?? 0, types })).toMatchObject({
      versions: [],
      next: undefined,
    });
  });

  it('ends at its limit or its maximum size, and has a next version only if there are more events', async () => {
    await grow(20, 'o'.repeat(1_000_000));
    const first = await read({ until: 22 });
    expect(first.versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(first.next).toBe(9);
    expect(await read({ after: 17, until: 22, limit: 4 })).toMatchObject({
      versions: [18, 19, 20, 21],
      next: 21,
    });
    expect(await read({ after: 17, until: 22, limit: 5 })).toMatchObject({ next: undefined });
  });
});
