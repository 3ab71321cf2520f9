import { describeIssues } from '#event-sourcing';

/** What is wrong where: `pointer` is RFC 6901 into the definition. */
export type ContractIssue = Readonly<{ pointer: string; detail: string }>;

/** A definition that fits its schema but cannot work. */
export class ContractError extends Error {
  override readonly name = 'ContractError';

  constructor(readonly issues: readonly ContractIssue[]) {
    super(describeIssues(issues));
  }
}
