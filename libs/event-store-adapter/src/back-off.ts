import { setTimeout as delay } from 'node:timers/promises';

const firstMs = 20;
const longestMs = 1_000;

/** Waits before the try after `attempt` (from 0): doubling, with full jitter; ends early with `signal`. */
export async function backOff(attempt: number, signal?: AbortSignal): Promise<void> {
  const ceiling = Math.min(firstMs * 2 ** attempt, longestMs);
  try {
    await delay(ceiling / 2 + (Math.random() * ceiling) / 2, undefined, { signal });
  } catch {
    // Ended early: the caller looks at the signal.
  }
}
