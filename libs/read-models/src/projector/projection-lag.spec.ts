import { type EventStore, InMemoryEventStore, type ReadAll } from '#event-sourcing';
import { newEvents, newStream } from '#testing';

import { countEvents, earliestOf, maxCounted } from './projection-lag.js';

describe('the lag where positions do not count events', () => {
  let store: EventStore;
  let reads: number;

  /** As KurrentDB declares it: positions are places, and say nothing of how many events lie between. */
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

  it('is 0 without a look where the positions are equal or ahead', async () => {
    const [first, second] = [await append(3), await append(2)];
    expect(await countEvents(store, 'start', 'start')).toBe(0);
    expect(await countEvents(store, second, second)).toBe(0);
    expect(await countEvents(store, second, first)).toBe(0);
    expect(reads).toBe(0);
  });

  it('is counted up to the head that was asked for, and no further', async () => {
    const [first, head] = [await append(3), await append(120)];
    await append(5);
    expect(await countEvents(store, 'start', head)).toBe(123);
    expect(await countEvents(store, first, head)).toBe(120);
  });

  it('is exact up to the most that is counted, and beyond it unknown', async () => {
    const head = await append(maxCounted);
    expect(await countEvents(store, 'start', head)).toBe(maxCounted);
    expect(await countEvents(store, 'start', await append(1))).toBeUndefined();
  });

  it('counts everything where the rows follow another log, whose positions say nothing here', async () => {
    const head = await append(7);
    expect(await countEvents(store, earliestOf(store, [head], false), head)).toBe(7);
    expect(await countEvents(store, earliestOf(store, [head, head], true), head)).toBe(0);
  });
});
