import fc from 'fast-check';

import { type Clock, evenlyTimed } from './even-timing.js';

/** A clock that advances only by waiting and by `pass`. Its timers fire `early` milliseconds early. */
function clockAt(start: number, early = 0) {
  let time = start;
  const clock: Clock = {
    now: () => time,
    wait: (ms) => {
      time += Math.max(1, ms - early);
      return Promise.resolve();
    },
  };
  return { clock, pass: (ms: number) => (time += ms), elapsed: () => time - start };
}

describe('evenlyTimed', () => {
  it.each([
    [0, 25],
    [3.3, 25],
    [6.4, 25],
    [25, 25],
    [25.5, 50],
    [199, 200],
  ])('ends work of %d ms after %d ms', async (took, ends) => {
    const { clock, pass, elapsed } = clockAt(1_000);
    await evenlyTimed(() => Promise.resolve(pass(took)), clock);
    expect(elapsed()).toBeGreaterThanOrEqual(ends);
    expect(elapsed()).toBeLessThan(ends + 1);
  });

  it('never ends before its step, even if timers fire early', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(300), fc.nat(3), async (took, early) => {
        const { clock, pass, elapsed } = clockAt(5.5, early);
        await evenlyTimed(() => Promise.resolve(pass(took)), clock);
        expect(elapsed()).toBeGreaterThanOrEqual(Math.max(25, Math.ceil(took / 25) * 25));
      }),
    );
  });

  it('fails at the same times', async () => {
    const { clock, elapsed } = clockAt(0);
    const failing = evenlyTimed(() => Promise.reject(new Error('no')), clock);
    await expect(failing).rejects.toThrow('no');
    expect(elapsed()).toBe(25);
  });
});
