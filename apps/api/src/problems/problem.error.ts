import { type ProblemCode } from './problem-code.js';

/** Something wrong at `pointer` (RFC 6901) of the input. */
export type InputFault = Readonly<{ pointer: string; detail: string }>;

/** A request refused at the edge, before or beside any rule of the domain. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly faults: readonly InputFault[] = [],
  ) {
    super(message);
  }
}

/** Input that parsed but is wrong at the places named. */
export function invalidInput(faults: readonly InputFault[]): ProblemError {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const detail = first ? `${first.pointer || 'the body'}: ${first.detail}${more}` : 'invalid input';
  return new ProblemError('validation-failed', detail, faults);
}
