import { setImmediate } from 'node:timers/promises';

/** Other requests wait at most this long for a slice of a long one. */
const sliceMs = 10;

/** Work in small steps: it yields behind each, so that whoever runs it can let others go on in between. */
export type Steps<Result> = Generator<void, Result>;

/** Runs all steps without a pause. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Runs the steps, and returns to the event loop whenever they have taken {@link sliceMs}. Throws what they throw, and the
 * reason of `signal` once that is aborted.
 */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  let end = performance.now() + sliceMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < end) continue;
    await setImmediate();
    signal?.throwIfAborted();
    end = performance.now() + sliceMs;
  }
}
