/** Other requests wait at most this long for a slice of a long one. */
const sliceMs = 10;

/** Work in small steps: it yields behind each, so that whoever runs it can let others go on in between. */
export type Steps<Result> = Generator<void, Result>;

/** When the long work of this turn of the event loop should pause; undefined while there is none. */
let turnEnd: number | undefined;
/** Long work that has paused, in the order in which it goes on: one slice a turn. */
const paused: (() => void)[] = [];

/**
 * The time for which long work may block the event loop before it pauses. All long work of one turn of the event loop shares it:
 * otherwise a thousand short tasks without a pause would block as long as one long task. Time spent waiting does not count.
 */
export class Slice {
  get isOver(): boolean {
    turnEnd ??= beginTurn();
    return performance.now() >= turnEnd;
  }

  /** Returns to the event loop, and goes on behind others that have paused before. */
  async pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    if (paused.length === 0) setImmediate(goOn);
    paused.push(() => resolve(undefined));
    await promise;
  }
}

function beginTurn(): number {
  setImmediate(endTurn);
  return performance.now() + sliceMs;
}

function endTurn(): void {
  turnEnd = undefined;
}

/** Each goes on in a turn of its own. */
function goOn(): void {
  const first = paused.shift();
  if (paused.length > 0) setImmediate(goOn);
  turnEnd = performance.now() + sliceMs;
  // In the timers phase, before the poll phase starts new work.
  setTimeout(endTurn);
  first?.();
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
