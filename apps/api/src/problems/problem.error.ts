import { describeIssues } from '#event-sourcing';

import { type ProblemCode } from './problem-code.js';

/** Something wrong at `pointer` (RFC 6901) of the input. */
export type InputFault = Readonly<{
  pointer: string;
  detail: string;
  /** Of a member that is not known: the known one that was probably meant. */
  suggestion?: string;
}>;

/** A request refused at the edge, before or beside any rule of the domain. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly faults: readonly InputFault[] = [],
    /** How many there are beside `faults`. */
    readonly moreFaults = 0,
  ) {
    super(message);
  }
}

/** Input that parsed but is wrong at the places named, and at `moreFaults` others. */
export function invalidInput(faults: readonly InputFault[], moreFaults = 0): ProblemError {
  const detail = describeIssues(faults, moreFaults);
  return new ProblemError('validation-failed', detail, faults, moreFaults);
}
