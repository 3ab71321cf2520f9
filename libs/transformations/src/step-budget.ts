import { transformationLimits } from './limits.js';

/** The transformations of one write would take more steps than they may together. */
export class StepsExceededError extends Error {
  override readonly name = 'StepsExceededError';

  constructor() {
    super(`more than ${transformationLimits.steps} steps`);
  }
}

/** The steps that all transformations of one write share. */
export class StepBudget {
  #spent = 0;

  get spent(): number {
    return this.#spent;
  }

  /** Counts steps that are being taken. Throws {@link StepsExceededError} once there are none left. */
  readonly spend = (steps: number): void => {
    this.#spent += steps;
    if (this.#spent > transformationLimits.steps) throw new StepsExceededError();
  };

  /** Counts steps if there are as many left. Else throws {@link StepsExceededError}, and others may take what is left. */
  reserve(steps: number): void {
    if (this.#spent + steps > transformationLimits.steps) throw new StepsExceededError();
    this.#spent += steps;
  }
}
