import { throttledQuery } from './throttled-query.js';

describe('a look that rests', () => {
  let clock: number;
  let looks: PromiseWithResolvers<number>[];
  let ask: () => Promise<number>;

  beforeEach(() => {
    clock = 0;
    looks = [];
    const look = () => {
      const next = Promise.withResolvers<number>();
      looks.push(next);
      return next.promise;
    };
    ask = throttledQuery(look, { restMs: 100, restTimes: 20, now: () => clock });
  });

  it('is one for all who ask while it looks, however long that takes', async () => {
    const [first, second] = [ask(), ((clock = 10_000), ask())];
    looks[0]?.resolve(1);
    await expect(Promise.all([first, second])).resolves.toEqual([1, 1]);
    expect(looks).toHaveLength(1);
  });

  it.each([
    ['as long as was said', 1, 100],
    ['twenty times as long as it took', 50, 1_000],
  ])('rests %s', async (_, tookMs, restMs) => {
    const first = ask();
    clock = tookMs;
    looks[0]?.resolve(1);
    await first;
    clock = tookMs + restMs - 1;
    await expect(ask()).resolves.toBe(1);
    clock = tookMs + restMs;
    const again = ask();
    looks[1]?.resolve(2);
    await expect(again).resolves.toBe(2);
  });

  it('looks again at once where it failed', async () => {
    const first = ask();
    looks[0]?.reject(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    const again = ask();
    looks[1]?.resolve(2);
    await expect(again).resolves.toBe(2);
  });
});
