import { waitFor } from '#testing';

import { limitMs } from './size.js';

/** Half of the scenario: what never happens is named before the scenario is cut off. */
const timeoutMs = limitMs / 2;

/** {@link waitFor} with a limit that suits the size of the scenario. */
export function waitUntil<Value>(
  condition: string,
  look: () => Promise<Value> | Value,
  until: (value: Value) => boolean = Boolean,
): Promise<Value> {
  return waitFor(condition, look, { until, timeoutMs });
}
