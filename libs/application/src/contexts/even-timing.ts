import { setTimeout as delay } from 'node:timers/promises';

const stepMs = 25;

export type Clock = Readonly<{ now: () => number; wait: (ms: number) => Promise<unknown> }>;

const systemClock: Clock = { now: () => performance.now(), wait: (ms) => delay(ms) };

/**
 * Ends at a multiple of 25 ms after its start, on success and on failure, so that its duration reveals little about the
 * data it examined.
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
    // A timer may fire slightly early.
    for (let left = end - now(); left > 0; left = end - now()) await wait(Math.ceil(left));
  }
}
