/** The longest time that one slice of long work blocks other requests. */
const sliceMs = 10;

/** Work in small steps: it yields after each step, so that its runner can let other work proceed. */
export type Steps<Result> = Generator<void, Result>;

/** When the long work of this turn of the event loop should pause; undefined if there is no long work. */
let turnEnd: number | undefined;
/** Paused long work, in the order in which it resumes: one slice per turn. */
const resumptions: (() => void)[] = [];

/**
 * The time for which long work may block the event loop before it pauses. All long work of one turn of the event loop shares
 * this time: otherwise a thousand short tasks without a pause would block as long as one long task. Waiting does not count.
 */
export class Slice {
  get isOver(): boolean {
    turnEnd ??= beginTurn();
    return performance.now() >= turnEnd;
  }

  /** Returns to the event loop, and resumes after the work that has paused earlier. */
  async pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    if (resumptions.length === 0) setImmediate(resumeNext);
    resumptions.push(() => resolve(undefined));
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

/** Resumes one piece of work, and schedules the next one for the next turn. */
function resumeNext(): void {
  const resume = resumptions.shift();
  if (resumptions.length > 0) setImmediate(resumeNext);
  turnEnd = performance.now() + sliceMs;
  // In the timers phase, before the poll phase starts new work.
  setTimeout(endTurn);
  resume?.();
}

/** Runs all steps without a pause. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Runs the steps, and returns to the event loop whenever a {@link Slice} has ended. Throws the errors of the steps, and the
 * reason of `signal` once it is aborted.
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
