/** So many members take much less than a millisecond, and a pause behind each would take longer than they do. */
const membersOfStep = 256;

/** Counts the members that long work has gone through, so that it yields as often whatever they are nested in. */
export class Pace {
  #members = 0;

  /** Counts one more; whether a step is over. */
  isStep(): boolean {
    this.#members += 1;
    return this.#members % membersOfStep === 0;
  }
}

/** Runs all steps of long work without a pause. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
