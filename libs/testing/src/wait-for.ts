import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

export type WaitOptions<Value> = Readonly<{
  /** The condition on the value; by default, the value must be truthy. */
  until?: (value: Value) => boolean;
  /** Must be below the limit of the test; otherwise the failure does not describe the condition. */
  timeoutMs?: number;
}>;

const defaultTimeoutMs = 60_000;
/** Each poll takes processor time from the awaited work, so a long wait polls less often. */
const [firstPollMs, maxPollMs, pollGrowth] = [5, 150, 1.3];
const maxShown = 2_000;
const timeout = Symbol('timeout');

/**
 * Calls `look` until its value meets the condition, and resolves with that value. Throws the errors of `look`. When the
 * time has expired, also during a call of `look`, throws an error with the condition and the last value.
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
