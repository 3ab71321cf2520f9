import { transformationLimits } from './limits.js';

/** Something would take more steps than it may. */
export class StepsExceededError extends Error {
  override readonly name = 'StepsExceededError';

  constructor(most: number) {
    super(`more than ${most} steps`);
  }
}

/** The steps that a piece of work may take; unless stated otherwise, those that all transformations of one write share. */
export class StepBudget {
  #spent = 0;

  constructor(private readonly most: number = transformationLimits.steps) {}

  get spent(): number {
    return this.#spent;
  }

  /** Counts steps that are being taken. Throws {@link StepsExceededError} once there are none left. */
  readonly spend = (steps: number): void => {
    this.#spent += steps;
    if (this.#spent > this.most) throw new StepsExceededError(this.most);
  };

  /** Counts steps if there are as many left. Else throws {@link StepsExceededError}, and others may take what is left. */
  reserve(steps: number): void {
    if (this.#spent + steps > this.most) throw new StepsExceededError(this.most);
    this.#spent += steps;
  }
}
