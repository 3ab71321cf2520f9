import { type Failure, type StepResult } from '#shared-context';

/** What an audience may see of a run, which follows from the events that the audience is shown. */
export type RunVisibility = Readonly<{
  /** Undefined if the result is hidden; without its comment if only that is hidden. */
  result: (stepId: string, result: StepResult) => StepResult | undefined;
  showsInput: () => boolean;
  showsFailure: (failure: Failure) => boolean;
  /** Whether the comments of approvals are shown. */
  showsFeedback: () => boolean;
}>;
