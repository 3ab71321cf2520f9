import { waitSecondsWithin } from './long-poll.js';

describe('the requested wait of a long poll', () => {
  it.each([
    [90_000, 20],
    [Infinity, 20],
    [20_000, 15],
    [10_000, 7],
    [3_000, 2],
    [1_500, 0],
    [0, 0],
  ])('ends before a request of %d ms, at %d s', (timeoutMs, seconds) => {
    expect(waitSecondsWithin(timeoutMs)).toBe(seconds);
  });
});
