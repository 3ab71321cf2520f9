import { waitFor } from '#testing';

import { limitMs } from './size.js';

/** Half of the limit of the scenario, so that a failure names the missing condition. */
const timeoutMs = limitMs / 2;

/** {@link waitFor} with a limit that depends on the size of the scenario. */
export function waitUntil<Value>(
  condition: string,
  look: () => Promise<Value> | Value,
  until: (value: Value) => boolean = Boolean,
): Promise<Value> {
  return waitFor(condition, look, { until, timeoutMs });
}
