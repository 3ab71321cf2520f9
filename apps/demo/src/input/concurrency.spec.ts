import { setImmediate } from 'node:timers/promises';

import { forEachConcurrently } from './concurrency.js';

describe('forEachConcurrently', () => {
  it('works on every item once, at most so many at a time', async () => {
    let running = 0;
    let most = 0;
    const seen: number[] = [];
    await forEachConcurrently(Array(20).keys(), 4, async (item) => {
      most = Math.max(most, (running += 1));
      await setImmediate();
      seen.push(item);
      running -= 1;
    });
    expect(seen.sort((left, right) => left - right)).toEqual([...Array(20).keys()]);
    expect(most).toBe(4);
  });

  it('starts nothing more once one has failed', async () => {
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
