import { throttledQuery } from './throttled-query.js';

describe('throttledQuery', () => {
  let clock: number;
  let queries: PromiseWithResolvers<number>[];
  let read: () => Promise<number>;

  beforeEach(() => {
    clock = 0;
    queries = [];
    const query = () => {
      const next = Promise.withResolvers<number>();
      queries.push(next);
      return next.promise;
    };
    read = throttledQuery(query, { restMs: 100, restTimes: 20, now: () => clock });
  });

  it('runs one query for all callers that arrive during it', async () => {
    const [first, second] = [read(), ((clock = 10_000), read())];
    queries[0]?.resolve(1);
    await expect(Promise.all([first, second])).resolves.toEqual([1, 1]);
    expect(queries).toHaveLength(1);
  });

  it.each([
    ['for the minimum time', 1, 100],
    ['for twenty times its duration', 50, 1_000],
  ])('caches the result %s', async (_, tookMs, restMs) => {
    const first = read();
    clock = tookMs;
    queries[0]?.resolve(1);
    await first;
    clock = tookMs + restMs - 1;
    await expect(read()).resolves.toBe(1);
    clock = tookMs + restMs;
    const again = read();
    queries[1]?.resolve(2);
    await expect(again).resolves.toBe(2);
  });

  it('queries again immediately after a failure', async () => {
    const first = read();
    queries[0]?.reject(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    const again = read();
    queries[1]?.resolve(2);
    await expect(again).resolves.toBe(2);
  });
});
