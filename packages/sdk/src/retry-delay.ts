import { type ThroughlineError } from './errors.js';

const [baseMs, longestMs] = [200, 10_000];
/** A server that asks for more time than this is not waited for. */
const longestRetryAfterMs = 60_000;
/** Too many requests, and what servers and proxies answer when nobody is there to ask. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Milliseconds to wait before a request is repeated, exponential with full jitter, and never less than the server asks for.
 * Undefined if repeating it makes no sense. `attempt` counts from 0.
 */
export function retryDelay(
  { code, status = 0, retryAfterMs = 0 }: ThroughlineError,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  if (code !== 'no-answer' && !passing.has(status)) return undefined;
  if (retryAfterMs > longestRetryAfterMs) return undefined;
  return retryAfterMs + random() * Math.min(longestMs, baseMs * 2 ** attempt);
}

/** `Retry-After`, in seconds or as a date, in milliseconds. */
export function parseRetryAfter(
  value: string | null,
  now: number = Date.now(),
): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
