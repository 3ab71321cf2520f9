/** A copy cannot go on as things stand; the message says where, and what to do. */
export abstract class CopyError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Both are one store. */
export class SameStoreError extends CopyError {
  constructor(identity: string) {
    super(`both stores are ${identity}: a store cannot be copied onto itself`);
  }
}

/** The target holds what the source does not, or not in that place. */
export class ForeignTargetError extends CopyError {
  constructor(
    readonly stream: string,
    readonly version: number,
    found: string,
  ) {
    super(
      `the target holds "${stream}" version ${version}, ${found}: it is no copy of the source; take an empty target, which in KurrentDB is another EVENTSTORE_NAMESPACE`,
    );
  }
}

/** Somebody writes to the target while it is filled. */
export class TargetWrittenError extends CopyError {
  constructor(stream: string, cause: unknown) {
    super(
      `somebody else writes to "${stream}" in the target: stop the servers that use it; where there are none, an earlier copy has just ended. Then copy again`,
      { cause },
    );
  }
}

/** The source itself is not whole. */
export class BrokenSourceError extends CopyError {
  constructor(
    readonly stream: string,
    readonly version: number,
    reason: string,
  ) {
    super(
      `"${stream}" in the source is broken at version ${version}: ${reason}; nothing behind it was copied`,
    );
  }
}

/** One of the stores went away. */
export class CopyInterruptedError extends CopyError {
  constructor(cause: Error) {
    super(`a store does not answer any more: ${cause.message}`, { cause });
  }
}
