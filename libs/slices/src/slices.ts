/** Other requests wait at most this long for a slice of a long one. */
const sliceMs = 10;

/** Work in small steps: it yields behind each, so that whoever runs it can let others go on in between. */
export type Steps<Result> = Generator<void, Result>;

/** When the work of this turn of the event loop should end; undefined while no long work has begun in it. */
let turnEnd: number | undefined;
/** Long work that has paused, in the order in which it goes on: one slice a turn. */
const paused: (() => void)[] = [];

/**
 * The time that long work may take before others have their turn. Work that waits for something by itself counts its own.
 * All long work that begins in one turn of the event loop shares that time: a thousand short pieces that follow one
 * another without a pause would otherwise be one long one.
 */
export class Slice {
  #end = (turnEnd ??= beginTurn());

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Returns to the event loop, and begins the next slice behind those of others that have paused before. */
  async pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    if (paused.length === 0) setImmediate(goOn);
    paused.push(() => resolve(undefined));
    await promise;
    this.#end = turnEnd ?? beginTurn();
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
  const [first] = paused.splice(0, 1);
  if (paused.length > 0) setImmediate(goOn);
  turnEnd = performance.now() + sliceMs;
  // Timers come before what arrives next, which begins a turn of its own.
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
