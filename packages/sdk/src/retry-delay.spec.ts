import { ConnectionError, ThroughlineError } from './errors.js';
import { parseRetryAfter, retryDelay } from './retry-delay.js';

const refusal = (status: number, retryAfterMs?: number) =>
  new ThroughlineError('code', 'message', { status, retryAfterMs });

describe('the delay before a retry', () => {
  it.each([429, 502, 503, 504])('is defined after %d', (status) => {
    expect(retryDelay(refusal(status), 0, () => 0.5)).toBe(100);
  });

  it.each([400, 401, 404, 409, 412, 422, 500])('is undefined after %d', (status) => {
    expect(retryDelay(refusal(status), 0)).toBeUndefined();
  });

  it('is random, and its maximum doubles with each retry up to a limit', () => {
    const lost = new ConnectionError('lost', {});
    const longest = [0, 1, 2, 10].map((attempt) => retryDelay(lost, attempt, () => 1));
    expect(longest).toEqual([200, 400, 800, 10_000]);
    expect(retryDelay(lost, 3, () => 0)).toBe(0);
  });

  it('is at least Retry-After, and undefined if that is longer than a minute', () => {
    expect(retryDelay(refusal(429, 7_000), 0, () => 0)).toBe(7_000);
    expect(retryDelay(refusal(429, 61_000), 0)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  it.each([
    ['7', 7_000],
    ['Thu, 01 Jan 1970 00:00:09 GMT', 8_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['later', undefined],
    [null, undefined],
  ])('%j is %p ms', (value, expected) => {
    expect(parseRetryAfter(value, 1_000)).toBe(expected);
  });
});
