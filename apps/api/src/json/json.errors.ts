import { describeIssues } from '#event-sourcing';

/** A fault in a JSON document, with a pointer (RFC 6901). `suggestion` is the known member that was probably meant. */
export type JsonFault = Readonly<{ pointer: string; detail: string; suggestion?: string }>;

/** The text is not JSON: a wrong syntax or encoding, or a duplicate key. */
export class InvalidJsonError extends Error {
  override readonly name = 'InvalidJsonError';
  constructor(
    message: string,
    readonly faults: readonly JsonFault[] = [],
  ) {
    super(message);
  }
}

/** The text is JSON, but some of its values cannot be stored exactly, or it is nested too deeply. */
export class UnfitJsonError extends Error {
  override readonly name = 'UnfitJsonError';
  constructor(
    readonly faults: readonly JsonFault[],
    /** The number of further faults that `faults` does not list. */
    readonly moreFaults = 0,
  ) {
    super(describeIssues(faults, moreFaults));
  }
}
