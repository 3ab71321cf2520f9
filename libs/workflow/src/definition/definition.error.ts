import { describeIssues } from '#event-sourcing';

/** What is wrong with a definition; `pointer` names the place by RFC 6901. */
type WorkflowIssue = Readonly<{ pointer: string; detail: string }>;

/** A definition that fits its schema but cannot be run. */
export class InvalidWorkflowError extends Error {
  override readonly name = 'InvalidWorkflowError';

  constructor(readonly issues: readonly WorkflowIssue[]) {
    super(describeIssues(issues));
  }
}
