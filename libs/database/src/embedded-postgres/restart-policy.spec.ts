import { createRestartPolicy } from './restart-policy.js';

describe('createRestartPolicy', () => {
  it('waits longer before each restart and gives up after five in a minute', () => {
    const policy = createRestartPolicy();
    expect([0, 1, 2, 3, 4, 5].map((time) => policy.next(time))).toEqual([
      50,
      200,
      800,
      3200,
      5000,
      undefined,
    ]);
  });

  it('starts over if the last restarts are more than a minute ago', () => {
    const policy = createRestartPolicy();
    for (const time of [0, 1, 2, 3, 4]) policy.next(time);
    expect(policy.next(60_100)).toBe(50);
  });
});
