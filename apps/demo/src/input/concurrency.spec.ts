import { setImmediate } from 'node:timers/promises';

import { forEachConcurrently } from './concurrency.js';

describe('forEachConcurrently', () => {
  it('processes every item once, with at most the given concurrency', async () => {
    let running = 0;
    let peak = 0;
    const processed: number[] = [];
    await forEachConcurrently(Array(20).keys(), 4, async (item) => {
      peak = Math.max(peak, (running += 1));
      await setImmediate();
      processed.push(item);
      running -= 1;
    });
    expect(processed.sort((left, right) => left - right)).toEqual([...Array(20).keys()]);
    expect(peak).toBe(4);
  });

  it('starts no more items after a failure', async () => {
    const started: number[] = [];
    const work = async (item: number) => {
      started.push(item);
      await setImmediate();
      if (item === 0) throw new Error('no');
    };
    await expect(forEachConcurrently(Array(100).keys(), 2, work)).rejects.toThrow('no');
    await setImmediate();
    await setImmediate();
    expect(started.length).toBeLessThan(5);
  });
});
