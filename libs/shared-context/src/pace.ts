/** This many members take much less than a millisecond; a pause after each one would take longer than the work. */
const membersOfStep = 256;

/** Counts the members that long work has processed, so that it yields at the same rate at every level of nesting. */
export class Pace {
  #members = 0;

  /** Counts one member, and returns whether the work should yield. */
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
