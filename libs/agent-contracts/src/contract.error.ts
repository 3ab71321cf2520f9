import { describeIssues } from '#event-sourcing';

/** A fault of a definition; `pointer` is a JSON pointer (RFC 6901) into it. */
export type ContractIssue = Readonly<{ pointer: string; detail: string }>;

/** The definition is valid by its schema, but cannot work. */
export class ContractError extends Error {
  override readonly name = 'ContractError';

  constructor(readonly issues: readonly ContractIssue[]) {
    super(describeIssues(issues));
  }
}
