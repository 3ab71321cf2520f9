import { describeIssues } from '#event-sourcing';

/** A place in a JSON document (RFC 6901) and what is wrong there. `suggestion`: the known member that was probably meant. */
export type JsonFault = Readonly<{ pointer: string; detail: string; suggestion?: string }>;

/** The text is no JSON: syntax, encoding or a key given twice. */
export class InvalidJsonError extends Error {
  override readonly name = 'InvalidJsonError';
  constructor(
    message: string,
    readonly faults: readonly JsonFault[] = [],
  ) {
    super(message);
  }
}

/** The text is JSON, but some of its values could only be kept changed, or it is nested too deep. */
export class UnfitJsonError extends Error {
  override readonly name = 'UnfitJsonError';
  constructor(
    readonly faults: readonly JsonFault[],
    /** How many there are beside `faults`. */
    readonly moreFaults = 0,
  ) {
    super(describeIssues(faults, moreFaults));
  }
}
