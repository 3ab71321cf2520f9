import { ConnectionError, ThroughlineError } from './errors.js';
import { parseRetryAfter, retryDelay } from './retry-delay.js';

const refusal = (status: number, retryAfterMs?: number) =>
  new ThroughlineError('code', 'message', { status, retryAfterMs });

describe('the delay before a retry', () => {
  it.each([429, 502, 503, 504])('is there after %d', (status) => {
    expect(retryDelay(refusal(status), 0, () => 0.5)).toBe(100);
  });

  it.each([400, 401, 404, 409, 412, 422, 500])('is not there after %d', (status) => {
    expect(retryDelay(refusal(status), 0)).toBeUndefined();
  });

  it('doubles with each try up to a limit, at random from none to all of it', () => {
    const lost = new ConnectionError('lost', {});
    const most = [0, 1, 2, 10].map((attempt) => retryDelay(lost, attempt, () => 1));
    expect(most).toEqual([200, 400, 800, 10_000]);
    expect(retryDelay(lost, 3, () => 0)).toBe(0);
  });

  it('is never shorter than the server asks for, and not there if it asks for more than a minute', () => {
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
