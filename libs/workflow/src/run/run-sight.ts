import { type Failure, type StepResult } from '#shared-context';

/** What somebody sees of a run who does not see everything: in each case because the events behind it are shown. */
export type RunSight = Readonly<{
  /** As it is seen, without a comment that is not; undefined if it is hidden. */
  result: (stepId: string, result: StepResult) => StepResult | undefined;
  seesInput: () => boolean;
  seesFailure: (failure: Failure) => boolean;
  /** What people have said of approvals. */
  seesFeedback: () => boolean;
}>;
