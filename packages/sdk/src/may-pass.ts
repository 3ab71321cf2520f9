import { type ThroughlineError } from './errors.js';
import { retryDelay } from './retry-delay.js';

/** Whether the same request may be answered later: also after a fault of the server, which another server may not have. */
export function mayPass(error: ThroughlineError): boolean {
  return delayAfter(error, 0) !== undefined;
}

/** Milliseconds until the request is to be sent again; undefined if it makes no sense. `attempt` counts from 0. */
export function delayAfter(error: ThroughlineError, attempt: number): number | undefined {
  const delay = retryDelay(error, Math.min(attempt, 4));
  if (delay !== undefined) return delay;
  return (error.status ?? 0) >= 500 || error.status === 429
    ? 1_000 + Math.random() * 1_000
    : undefined;
}
