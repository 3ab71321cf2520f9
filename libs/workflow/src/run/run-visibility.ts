import { type Failure, type StepResult } from '#shared-context';

/** The parts of a run that an audience may see, according to the events that are visible to the audience. */
export type RunVisibility = Readonly<{
  /** Undefined if the result is hidden; without its comment if only the comment is hidden. */
  result: (stepId: string, result: StepResult) => StepResult | undefined;
  showsInput: () => boolean;
  showsFailure: (failure: Failure) => boolean;
  /** Whether comments of approvals are visible. */
  showsFeedback: () => boolean;
}>;
