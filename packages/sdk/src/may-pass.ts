import { type ThroughlineError } from './errors.js';
import { retryDelay } from './retry-delay.js';

/**
 * Milliseconds until the request is to be sent again, and no less than the server asks for; undefined if it makes no sense. Also after a
 * fault of the server, which another server may not have. `attempt` counts from 0.
 */
export function delayAfter(error: ThroughlineError, attempt: number): number | undefined {
  const delay = retryDelay(error, Math.min(attempt, 4));
  if (delay !== undefined) return delay;
  return (error.status ?? 0) >= 500 || error.status === 429 ? longDelay(error) : undefined;
}

/**
 * The same for requests without which an attempt is lost: also after something else than the server has answered, such as a proxy with a
 * page of its own.
 */
export function delayWithinAttempt(error: ThroughlineError, attempt: number): number | undefined {
  const delay = delayAfter(error, attempt);
  return delay === undefined && error.code === 'unexpected-answer' ? longDelay(error) : delay;
}

function longDelay({ retryAfterMs = 0 }: ThroughlineError): number {
  return Math.max(retryAfterMs, 1_000 + Math.random() * 1_000);
}
