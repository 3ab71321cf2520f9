import { setTimeout as delay } from 'node:timers/promises';

const firstMs = 20;
const maxMs = 1_000;

/** Waits after the failed attempt number `attempt` (from 0): doubling, with jitter. Ends early when `signal` aborts. */
export async function backOff(attempt: number, signal?: AbortSignal): Promise<void> {
  const ceiling = Math.min(firstMs * 2 ** attempt, maxMs);
  try {
    await delay(ceiling / 2 + (Math.random() * ceiling) / 2, undefined, { signal });
  } catch {
    // Aborted: the caller checks the signal.
  }
}
