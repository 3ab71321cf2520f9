import { describeIssues } from '#event-sourcing';

import { type ProblemCode } from './problem-code.js';

/** A fault of the input at `pointer` (RFC 6901). */
export type InputFault = Readonly<{
  pointer: string;
  detail: string;
  /** For an unknown member: the known member that was probably meant. */
  suggestion?: string;
}>;

/** A refusal by the HTTP layer, not by a rule of the domain. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly faults: readonly InputFault[] = [],
    /** The number of further faults that `faults` does not list. */
    readonly moreFaults = 0,
  ) {
    super(message);
  }
}

/** A `validation-failed` problem with the listed faults and the number of further ones. */
export function invalidInput(faults: readonly InputFault[], moreFaults = 0): ProblemError {
  const detail = describeIssues(faults, moreFaults);
  return new ProblemError('validation-failed', detail, faults, moreFaults);
}
