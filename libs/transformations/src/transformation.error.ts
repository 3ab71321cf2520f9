import { describeIssues } from '#event-sourcing';
import { ExpressionError } from '#expressions';

/** What is wrong where: `pointer` is RFC 6901 into the definition. */
export type DefinitionIssue = Readonly<{ pointer: string; detail: string }>;

/** Takes a fault; others are looked for all the same. */
export type Report = (pointer: string, detail: string) => void;

/** A definition that fits its schema but cannot work, or not beside the others of its workspace. */
export class TransformationError extends Error {
  override readonly name = 'TransformationError';

  constructor(readonly issues: readonly DefinitionIssue[]) {
    super(describeIssues(issues));
  }
}

/** What was read, or nothing where it could not be and that has been reported. */
export function orReport<Result>(pointer: string, report: Report, read: () => Result): Result[] {
  try {
    return [read()];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report(pointer, error.message);
    return [];
  }
}
