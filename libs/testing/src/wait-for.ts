import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

export type WaitOptions<Value> = Readonly<{
  /** What the value must be like; without it, truthy. */
  until?: (value: Value) => boolean;
  /** Must stay below the limit of the test, or the failure does not say what was missing. */
  timeoutMs?: number;
}>;

const defaultTimeoutMs = 30_000;
/** Looks cost processor time that what is waited for needs: a long wait looks less often. */
const [firstPollMs, maxPollMs, pollGrowth] = [5, 40, 1.5];
const maxShown = 2_000;
const timeout = Symbol('timeout');

/**
 * Evaluates `look` until its value meets the condition, and resolves with that value. Throws what `look` throws; when
 * the time is up, also while a look is under way, throws an error with the condition and the last value.
 *
 * @param condition completes the sentence "timed out waiting for: …"
 */
export async function waitFor<Value>(
  condition: string,
  look: () => Promise<Value> | Value,
  { until = Boolean, timeoutMs = defaultTimeoutMs }: WaitOptions<Value> = {},
): Promise<Value> {
  const expiry = Promise.withResolvers<typeof timeout>();
  const timer = setTimeout(() => expiry.resolve(timeout), timeoutMs);
  let last = 'none, as the first look did not end';
  try {
    for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * pollGrowth, maxPollMs)) {
      const value = await Promise.race([look(), expiry.promise]);
      if (value === timeout) break;
      if (until(value)) return value;
      last = show(value);
      if ((await Promise.race([delay(pollMs), expiry.promise])) === timeout) break;
    }
  } finally {
    clearTimeout(timer);
  }
  const seconds = timeoutMs / 1_000;
  throw new Error(`timed out after ${seconds} s waiting for: ${condition}; last value: ${last}`);
}

function show(value: unknown): string {
  const shown = inspect(value, { depth: 5, breakLength: Infinity, maxArrayLength: 50 });
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown;
}
