import { ServerClock } from './server-clock.js';

const noon = Date.parse('2026-11-25T12:00:00.000Z');
const date = new Date(noon).toUTCString();

function clockAt(now: number): ServerClock {
  const clock = new ServerClock(() => now);
  clock.set(date);
  return clock;
}

describe('the clock of the server', () => {
  it('is that of this machine as long as they differ by no more than a header can say', () => {
    for (const now of [noon - 500, noon, noon + 999, noon + 1_500])
      expect(clockAt(now).read()).toBe(now);
  });

  it('is what the server says if the clock of this machine is wrong', () => {
    for (const now of [noon - 3_600_000, noon + 3_600_000])
      expect(clockAt(now).read()).toBe(noon + 500);
  });

  it('is that of this machine as long as no answer has said otherwise', () => {
    const clock = new ServerClock(() => noon);
    clock.set(undefined);
    clock.set('soon');
    expect(clock.read()).toBe(noon);
  });
});
