import { InMemoryEventStore } from '#event-sourcing';
import { HistoryWriter, did } from '#testing';

import { scanFeed } from './feed-scan.js';

describe('a page of the feed', () => {
  const store = new InMemoryEventStore();
  let looks: number;

  async function scan(): Promise<Awaited<ReturnType<typeof scanFeed>>> {
    looks = 0;
    return scanFeed(store, { after: 'start', limit: 500 }, () => {
      looks += 1;
      return Promise.resolve(false);
    });
  }

  it('examines at most 5,000 events, and reports where the next page starts', async () => {
    const history = new HistoryWriter(store);
    const append = (count: number) =>
      history.append(
        'c',
        ...Array.from({ length: count }, () => did('StepStarted', { stepId: 's' })),
      );
    for (let at = 0; at < 8; at++) await append(500);
    expect(await scan()).toMatchObject({ items: [], atEnd: true });
    expect(looks).toBe(4_000);
    for (let at = 0; at < 4; at++) await append(500);
    const page = await scan();
    expect(page).toMatchObject({ items: [], atEnd: false });
    expect(looks).toBeLessThanOrEqual(5_000);
    const rest = await scanFeed(store, { after: page.next, limit: 500 }, () =>
      Promise.resolve(false),
    );
    expect(rest.atEnd).toBe(true);
  });

  it('continues after a read that the limit of bytes cut short', async () => {
    const large = new InMemoryEventStore();
    const history = new HistoryWriter(large);
    const output = 'x'.repeat(900_000);
    for (let n = 0; n < 12; n++)
      await history.append('hidden', did('StepOutputAdded', { stepId: 's', output }));
    await history.append('shown', did('StepStarted', { stepId: 's' }));
    const page = await scanFeed(large, { after: 'start', limit: 500 }, ({ contextId }) =>
      Promise.resolve(contextId === 'shown'),
    );
    expect(page).toMatchObject({ items: [{ type: 'StepStarted' }], atEnd: true });
  });
});
