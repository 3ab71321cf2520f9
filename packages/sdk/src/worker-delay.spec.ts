import { ThroughlineError } from './errors.js';
import { delayAfter, delayWithinAttempt } from './worker-delay.js';

const minute = 60_000;
const answer = (code: string, status: number, retryAfterMs?: number) =>
  new ThroughlineError(code, 'message', { status, retryAfterMs });

describe('the delay before a worker repeats a request', () => {
  it.each([429, 500, 503])('is the Retry-After of an answer with status %d', (status) => {
    expect(delayAfter(answer('code', status, 2 * minute), 0)).toBe(2 * minute);
  });

  it('is one to two seconds after a fault of the server', () => {
    const delay = delayAfter(answer('internal-error', 500), 0);
    expect(delay).toBeGreaterThanOrEqual(1_000);
    expect(delay).toBeLessThanOrEqual(2_000);
  });

  it('is undefined after a refusal', () => {
    expect(delayWithinAttempt(answer('stale-attempt', 409), 0)).toBeUndefined();
  });

  it('is defined after the page of a proxy only for requests of an attempt', () => {
    const page = answer('unexpected-answer', 200);
    expect(delayAfter(page, 0)).toBeUndefined();
    expect(delayWithinAttempt(page, 0)).toBeGreaterThanOrEqual(1_000);
  });
});
