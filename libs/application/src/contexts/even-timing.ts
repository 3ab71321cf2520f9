import { setTimeout as delay } from 'node:timers/promises';

const stepMs = 25;

export type Clock = Readonly<{ now: () => number; wait: (ms: number) => Promise<unknown> }>;

const systemClock: Clock = { now: () => performance.now(), wait: (ms) => delay(ms) };

/**
 * Ends at a whole multiple of 25 ms behind its beginning, whether it succeeds or fails, so that how long it took says
 * little of what it came across on the way.
 */
export async function evenlyTimed<Result>(
  work: () => Promise<Result>,
  { now, wait }: Clock = systemClock,
): Promise<Result> {
  const started = now();
  try {
    return await work();
  } finally {
    const end = started + stepMs * Math.max(1, Math.ceil((now() - started) / stepMs));
    // A timer may fire a little early.
    for (let left = end - now(); left > 0; left = end - now()) await wait(Math.ceil(left));
  }
}
