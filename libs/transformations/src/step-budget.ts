import { transformationLimits } from './limits.js';

/** The work would exceed its limit of steps. */
export class StepsExceededError extends Error {
  override readonly name = 'StepsExceededError';

  constructor(limit: number) {
    super(`more than ${limit} steps`);
  }
}

/** The steps available for a piece of work; by default the limit that all transformations of one write share. */
export class StepBudget {
  #spent = 0;

  constructor(private readonly limit: number = transformationLimits.steps) {}

  get spent(): number {
    return this.#spent;
  }

  /** Counts steps as they are taken. Throws {@link StepsExceededError} when the budget is exceeded. */
  readonly spend = (steps: number): void => {
    this.#spent += steps;
    if (this.#spent > this.limit) throw new StepsExceededError(this.limit);
  };

  /**
   * Counts steps if enough are available. Otherwise throws {@link StepsExceededError} and leaves the budget
   * unchanged.
   */
  reserve(steps: number): void {
    if (this.#spent + steps > this.limit) throw new StepsExceededError(this.limit);
    this.#spent += steps;
  }
}
