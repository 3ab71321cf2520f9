import { type ThroughlineError } from './errors.js';

const [baseMs, longestMs] = [200, 10_000];
/** With a longer `Retry-After`, a request is not repeated. */
const longestRetryAfterMs = 60_000;
/** Too many requests, or a server that is unavailable. */
const temporary: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Returns the delay of a retry in milliseconds: exponential with full jitter, and at least the `Retry-After` of the server.
 * Undefined if a retry is useless. `attempt` counts from 0.
 */
export function retryDelay(
  { code, status = 0, retryAfterMs = 0 }: ThroughlineError,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  if (code !== 'no-answer' && !temporary.has(status)) return undefined;
  if (retryAfterMs > longestRetryAfterMs) return undefined;
  return retryAfterMs + random() * Math.min(longestMs, baseMs * 2 ** attempt);
}

/** Converts `Retry-After`, in seconds or as a date, to milliseconds. */
export function parseRetryAfter(
  value: string | null,
  now: number = Date.now(),
): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
