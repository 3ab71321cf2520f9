import { type ReadAll, InMemoryEventStore } from '#event-sourcing';
import { HistoryWriter, did } from '#testing';

import { LogCursor } from './log-cursor.js';

const output = (text: string) => did('StepOutputAdded', { stepId: 's', output: text });

/** The limits of the reads that a cursor makes up to the end of the log. */
async function limitsOfWalk(store: InMemoryEventStore): Promise<number[]> {
  const limits: number[] = [];
  const readAll = store.readAll.bind(store);
  store.readAll = (read: ReadAll) => {
    limits.push(read.limit);
    return readAll(read);
  };
  const cursor = new LogCursor(store);
  while (await cursor.next());
  return limits;
}

describe('LogCursor', () => {
  it('reads large events in small pages, to bound its memory', async () => {
    const store = new InMemoryEventStore('large');
    const history = new HistoryWriter(store);
    for (let n = 0; n < 60; n++) await history.append('a', output('x'.repeat(900_000)));
    const [, ...later] = await limitsOfWalk(store);
    expect(later.length).toBeGreaterThan(1);
    for (const limit of later) expect(limit).toBeLessThanOrEqual(5);
  });

  it('reads small events in large pages', async () => {
    const store = new InMemoryEventStore('small');
    const history = new HistoryWriter(store);
    for (let n = 0; n < 12; n++)
      await history.append('a', ...Array.from({ length: 100 }, () => output('x')));
    expect(Math.max(...(await limitsOfWalk(store)))).toBe(500);
  });
});
