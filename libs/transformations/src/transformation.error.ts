import { describeIssues } from '#event-sourcing';
import { ExpressionError } from '#expressions';

/** A fault of a definition; `pointer` is a JSON pointer (RFC 6901) into it. */
export type DefinitionIssue = Readonly<{ pointer: string; detail: string }>;

/** Reports a fault; compilation continues, to find further ones. */
export type Report = (pointer: string, detail: string) => void;

/** The definition is valid by its schema, but cannot work, or conflicts with others of its workspace. */
export class TransformationError extends Error {
  override readonly name = 'TransformationError';

  constructor(readonly issues: readonly DefinitionIssue[]) {
    super(describeIssues(issues));
  }
}

/** The result of `read`, or an empty list if it failed and the fault was reported. */
export function orReport<Result>(pointer: string, report: Report, read: () => Result): Result[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report(pointer, error.message);
    return [];
  }
}
