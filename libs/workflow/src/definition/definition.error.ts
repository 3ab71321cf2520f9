import { describeIssues } from '#event-sourcing';

/** A fault of a definition; `pointer` is its location (RFC 6901). */
type WorkflowIssue = Readonly<{ pointer: string; detail: string }>;

/** A definition that matches its schema but cannot be run. */
export class InvalidWorkflowError extends Error {
  override readonly name = 'InvalidWorkflowError';

  constructor(readonly issues: readonly WorkflowIssue[]) {
    super(describeIssues(issues));
  }
}
