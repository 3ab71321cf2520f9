import { ThroughlineError } from './errors.js';
import { delayAfter, delayWithinAttempt } from './may-pass.js';

const minute = 60_000;
const answer = (code: string, status: number, retryAfterMs?: number) =>
  new ThroughlineError(code, 'message', { status, retryAfterMs });

describe('the delay before a worker asks again', () => {
  it.each([429, 500, 503])('is as long as the server asks for with %d', (status) => {
    expect(delayAfter(answer('code', status, 2 * minute), 0)).toBe(2 * minute);
  });

  it('is a second or two after a fault of the server', () => {
    const delay = delayAfter(answer('internal-error', 500), 0);
    expect(delay).toBeGreaterThanOrEqual(1_000);
    expect(delay).toBeLessThanOrEqual(2_000);
  });

  it('is not there after a refusal', () => {
    expect(delayWithinAttempt(answer('stale-attempt', 409), 0)).toBeUndefined();
  });

  it('is there after the page of a proxy only for what an attempt would lose', () => {
    const page = answer('unexpected-answer', 200);
    expect(delayAfter(page, 0)).toBeUndefined();
    expect(delayWithinAttempt(page, 0)).toBeGreaterThanOrEqual(1_000);
  });
});
