import { setImmediate } from 'node:timers/promises';

/** Other requests wait at most this long for a slice of a long one. */
const sliceMs = 10;

/** Work in small steps: it yields behind each, so that whoever runs it can let others go on in between. */
export type Steps<Result> = Generator<void, Result>;

/** The time that long work may take before others have their turn. Work that waits for something by itself counts its own. */
export class Slice {
  #end = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Returns to the event loop, and begins the next slice. */
  async pause(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + sliceMs;
  }
}

/** Runs all steps without a pause. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Runs the steps, and returns to the event loop whenever a {@link Slice} is over. Throws what they throw, and the reason of
 * `signal` once that is aborted.
 */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const slice = new Slice();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (!slice.isOver) continue;
    await slice.pause();
    signal?.throwIfAborted();
  }
}
