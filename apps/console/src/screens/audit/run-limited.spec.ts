import { runLimited } from './run-limited.js';

const never = new AbortController().signal;

describe('runLimited', () => {
  it('runs all items in their order, at most a few at once', async () => {
    const started: number[] = [];
    let [running, most] = [0, 0];
    await runLimited(
      [1, 2, 3, 4, 5],
      async (item) => {
        started.push(item);
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
      },
      { limit: 2, signal: never },
    );
    expect(started).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('starts no further item after the signal aborts', async () => {
    const ending = new AbortController();
    const started: number[] = [];
    await runLimited(
      [1, 2, 3, 4, 5],
      async (item) => {
        started.push(item);
        if (item === 2) ending.abort();
        await Promise.resolve();
      },
      { limit: 2, signal: ending.signal },
    );
    expect(started).toEqual([1, 2]);
  });

  it('ends if there are fewer items than may run at once', async () => {
    await expect(
      runLimited([], () => Promise.resolve(), { limit: 3, signal: never }),
    ).resolves.toBeUndefined();
  });
});
