import { describeIssues } from '#event-sourcing';

/** What is wrong where: `pointer` is RFC 6901 into the definition. */
export type WorkflowIssue = Readonly<{ pointer: string; detail: string }>;

/** A definition that fits its schema but cannot be run. */
export class InvalidWorkflowError extends Error {
  override readonly name = 'InvalidWorkflowError';

  constructor(readonly issues: readonly WorkflowIssue[]) {
    super(describeIssues(issues));
  }
}
