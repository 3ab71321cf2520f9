import { type EventStore, InMemoryEventStore, type ReadAll } from '#event-sourcing';
import { newEvents, newStream } from '#testing';

import { countEvents, earliestOf, maxCounted } from './projection-lag.js';

describe('the lag in a store whose positions do not count events', () => {
  let store: EventStore;
  let reads: number;

  /** As in KurrentDB, whose positions do not show the number of events between them. */
  beforeEach(() => {
    const memory = new InMemoryEventStore();
    const readAll = memory.readAll.bind(memory);
    reads = 0;
    store = Object.assign(memory, {
      countBetween: () => undefined,
      readAll: (read: ReadAll) => {
        reads++;
        return readAll(read);
      },
    });
  });

  const append = async (events: number) => {
    const { position } = await store.append(newStream(), newEvents(events), 'no-stream');
    return position;
  };

  it('is 0 without a read if the positions are equal or ahead', async () => {
    const [first, second] = [await append(3), await append(2)];
    expect(await countEvents(store, 'start', 'start')).toBe(0);
    expect(await countEvents(store, second, second)).toBe(0);
    expect(await countEvents(store, second, first)).toBe(0);
    expect(reads).toBe(0);
  });

  it('is counted up to the requested head only', async () => {
    const [first, head] = [await append(3), await append(120)];
    await append(5);
    expect(await countEvents(store, 'start', head)).toBe(123);
    expect(await countEvents(store, first, head)).toBe(120);
  });

  it('is exact up to the maximum count and unknown above it', async () => {
    const head = await append(maxCounted);
    expect(await countEvents(store, 'start', head)).toBe(maxCounted);
    expect(await countEvents(store, 'start', await append(1))).toBeUndefined();
  });

  it('counts all events if the rows follow another log', async () => {
    const head = await append(7);
    expect(await countEvents(store, earliestOf(store, [head], false), head)).toBe(7);
    expect(await countEvents(store, earliestOf(store, [head, head], true), head)).toBe(0);
  });
});
