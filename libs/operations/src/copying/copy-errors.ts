/** A copy cannot continue; the message says at which event, and what to do. */
export abstract class CopyError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Source and target are the same store. */
export class SameStoreError extends CopyError {
  constructor(identity: string) {
    super(`both stores are ${identity}: a store cannot be copied onto itself`);
  }
}

/** The target contains an event that differs from the one of the source at the same place. */
export class ForeignTargetError extends CopyError {
  constructor(
    readonly stream: string,
    readonly version: number,
    difference: string,
  ) {
    super(
      `the target contains "${stream}" version ${version}, ${difference}: it is not a copy of the source; use an empty target, which in KurrentDB is another EVENTSTORE_NAMESPACE`,
    );
  }
}

/** Another process writes to the target during the copy. */
export class TargetWrittenError extends CopyError {
  constructor(stream: string, cause: unknown) {
    super(
      `another process writes to "${stream}" in the target: stop the servers that use it, or wait for the end of an earlier copy, and copy again`,
      { cause },
    );
  }
}

/** The hash chain of the source is broken. */
export class BrokenSourceError extends CopyError {
  constructor(
    readonly stream: string,
    readonly version: number,
    reason: string,
  ) {
    super(
      `"${stream}" in the source is broken at version ${version}: ${reason}; later events were not copied`,
    );
  }
}

/** A store became unavailable. */
export class CopyInterruptedError extends CopyError {
  constructor(cause: Error) {
    super(`a store became unavailable: ${cause.message}`, { cause });
  }
}
