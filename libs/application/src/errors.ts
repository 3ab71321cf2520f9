import { DomainError, type JsonObject, describeIssues } from '#event-sourcing';
import { type Issue } from '#shared-context';

/** The principal's role does not allow this. */
export class ForbiddenError extends DomainError<'forbidden'> {
  readonly code = 'forbidden';
}

/** Events after the expected version, as `/events` shows them to the caller; the oldest 100 if `truncated`. */
export type ConflictingEvents = Readonly<{ events: readonly JsonObject[]; truncated: boolean }>;

/** `retryAfterMs`: when to repeat the write at the earliest, decided again on what was missed. */
export class ConditionFailedError extends DomainError<'version-conflict'> {
  readonly code = 'version-conflict';
  readonly missed: readonly JsonObject[];

  constructor(
    readonly expectedVersion: number,
    readonly currentVersion: number,
    { events: missed, truncated }: ConflictingEvents,
    retryAfterMs: number,
  ) {
    super(
      `the context is at version ${currentVersion}, not ${expectedVersion}: read what was missed and decide again`,
      {
        details: {
          expectedVersion,
          currentVersion,
          missed,
          missedTruncated: truncated,
          retryAfterMs,
        },
      },
    );
    this.missed = missed;
  }
}

/** The key was used before with another body. */
export class IdempotencyKeyReusedError extends DomainError<'idempotency-key-reused'> {
  readonly code = 'idempotency-key-reused';
}

/** Others kept writing first, over several tries and seconds. */
export class ConcurrencyExhaustedError extends DomainError<'concurrency-exhausted'> {
  readonly code = 'concurrency-exhausted';
}

export class InvalidPositionError extends DomainError<'invalid-position'> {
  readonly code = 'invalid-position';
  readonly issues: readonly Issue[];

  /** `member`: where the request names the position. */
  constructor(message: string, member = 'asOf', options: ErrorOptions = {}) {
    super(message, options);
    this.issues = [{ pointer: `/${member}`, detail: message }];
  }
}

/** A position that a read understands as `asOf`, under the name that the request gives it. */
export async function positionNamed<Result>(
  member: string,
  resolving: Promise<Result>,
): Promise<Result> {
  try {
    return await resolving;
  } catch (cause) {
    if (cause instanceof InvalidPositionError)
      throw new InvalidPositionError(cause.message, member, { cause });
    throw cause;
  }
}

/** An event of this context, or its envelope, is of a kind this version cannot read. */
export class EventUnreadableError extends DomainError<'event-unreadable'> {
  readonly code = 'event-unreadable';
}

/** Not there, in another workspace, or out of the key's reach: all the same to the caller. */
export class ResourceNotFoundError extends DomainError<'not-found'> {
  readonly code = 'not-found';
}

/** What was asked of a run or job does not go with the state it is in. */
export class RunStateError extends DomainError<'run-state'> {
  readonly code = 'run-state';
}

/** Input that parsed but cannot be right; pointers are RFC 6901 into the body. */
export class InvalidInputError extends DomainError<'validation-failed'> {
  readonly code = 'validation-failed';
  constructor(readonly issues: readonly Readonly<{ pointer: string; detail: string }>[]) {
    super(describeIssues(issues));
  }
}

/** The key has as many requests waiting as it may. */
export class TooManyWaitingError extends DomainError<'rate-limited'> {
  readonly code = 'rate-limited';
}

/** The server has as much to do as it takes on. */
export class ServerBusyError extends DomainError<'unavailable'> {
  readonly code = 'unavailable';
}

/** The key of a request was revoked, or expired, while the request waited. */
export class KeyEndedError extends DomainError<'unauthenticated'> {
  readonly code = 'unauthenticated';
}
