import { type ThroughlineError } from './errors.js';
import { retryDelay } from './retry-delay.js';

/**
 * Returns the delay of a retry in milliseconds, at least the `Retry-After` of the server; undefined if a retry is useless. Also
 * retries after a fault of the server, because another instance may answer. `attempt` counts from 0.
 */
export function delayAfter(error: ThroughlineError, attempt: number): number | undefined {
  const delay = retryDelay(error, Math.min(attempt, 4));
  if (delay !== undefined) return delay;
  return (error.status ?? 0) >= 500 || error.status === 429 ? longDelay(error) : undefined;
}

/**
 * Does the same for requests without which an attempt is lost: also retries after an answer that does not come from the server, such
 * as the page of a proxy.
 */
export function delayWithinAttempt(error: ThroughlineError, attempt: number): number | undefined {
  const delay = delayAfter(error, attempt);
  return delay === undefined && error.code === 'unexpected-answer' ? longDelay(error) : delay;
}

function longDelay({ retryAfterMs = 0 }: ThroughlineError): number {
  return Math.max(retryAfterMs, 1_000 + Math.random() * 1_000);
}
