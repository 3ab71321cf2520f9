import { AttemptClock } from './attempt-clock.js';

describe('the clock of an attempt', () => {
  it('counts from the claim, regardless of the clock of this machine', () => {
    let now = 5_000;
    const attempt = { deadline: '2020-01-01T12:01:00.000Z', timeoutMs: 60_000 };
    const clock = new AttemptClock(attempt, () => now);
    expect([clock.left(), clock.leftUntil('2020-01-01T12:00:30Z')]).toEqual([60_000, 30_000]);
    now += 40_000;
    expect([clock.left(), clock.leftUntil('2020-01-01T12:00:30Z')]).toEqual([20_000, -10_000]);
  });
});
