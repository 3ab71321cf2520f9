import { LogSignal } from './log-signal.js';

const never = new AbortController().signal;
const forEver = 2_000_000_000;

describe('waiting for the log to go beyond a position', () => {
  test('ends at once where it already has', async () => {
    const log = new LogSignal();
    log.announce(5n);
    await log.beyond(4n, forEver, never);
    expect(log.latest).toBe(5n);
  });

  test('ends for all when something newer is announced, not for what is known', async () => {
    const log = new LogSignal();
    log.announce(5n);
    const ended: number[] = [];
    const waits = [5n, 5n, 6n].map(async (position, index) => {
      await log.beyond(position, forEver, never);
      ended.push(index);
    });
    log.announce(4n);
    log.announce(5n);
    await Promise.resolve();
    expect(ended).toEqual([]);
    log.announce(6n);
    await Promise.all(waits.slice(0, 2));
    expect(ended).toEqual([0, 1]);
    log.announce(9n);
    await waits[2];
    expect(log.latest).toBe(9n);
  });

  test('ends after its limit', async () => {
    await expect(new LogSignal().beyond(0n, 1, never)).resolves.toBeUndefined();
  });

  test('ends with its signal', async () => {
    const ended = new AbortController();
    const waiting = new LogSignal().beyond(0n, forEver, ended.signal);
    ended.abort();
    await expect(waiting).resolves.toBeUndefined();
    await new LogSignal().beyond(0n, forEver, ended.signal);
  });
});
