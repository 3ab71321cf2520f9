import { pollMsAfter } from './poll-interval.js';

describe('the interval of a list', () => {
  it('is short while its rows lag, and grows if they do not become current', () => {
    const intervals = [1, 2, 3, 10, 1_000].map(pollMsAfter);
    expect(intervals).toEqual(intervals.toSorted((left, right) => left - right));
    expect(intervals[0]).toBeLessThan(1_000);
    expect(intervals.at(-1)).toBe(5_000);
  });

  it('is longest for a current list', () => {
    expect(pollMsAfter(0)).toBe(15_000);
  });
});
