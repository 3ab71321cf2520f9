import { LogSignal } from './log-signal.js';

const never = new AbortController().signal;
const forEver = 2_000_000_000;

describe('LogSignal.beyond', () => {
  test('resolves at once if the position is already exceeded', async () => {
    const log = new LogSignal();
    log.announce(5n);
    await log.beyond(4n, forEver, never);
    expect(log.latest).toBe(5n);
  });

  test('resolves for all waiters when a newer position is announced, but not for a known one', async () => {
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

  test('resolves after its limit', async () => {
    await expect(new LogSignal().beyond(0n, 1, never)).resolves.toBeUndefined();
  });

  test('resolves with its signal', async () => {
    const ended = new AbortController();
    const waiting = new LogSignal().beyond(0n, forEver, ended.signal);
    ended.abort();
    await expect(waiting).resolves.toBeUndefined();
    await new LogSignal().beyond(0n, forEver, ended.signal);
  });
});
