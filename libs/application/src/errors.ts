import { DomainError, type JsonObject, describeIssues } from '#event-sourcing';
import { type Issue } from '#shared-context';

/** The principal's role does not allow this. */
export class ForbiddenError extends DomainError<'forbidden'> {
  readonly code = 'forbidden';
}

/** Events after the expected version, as `/events` returns them to the caller; the oldest 100 if `truncated`. */
export type ConflictingEvents = Readonly<{ events: readonly JsonObject[]; truncated: boolean }>;

/** `retryAfterMs`: the earliest time to repeat the write, after deciding again on the missed events. */
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
      `the context is at version ${currentVersion}, not ${expectedVersion}: read the missed events and decide again`,
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

/** Concurrent writers won every attempt, for several seconds. */
export class ConcurrencyExhaustedError extends DomainError<'concurrency-exhausted'> {
  readonly code = 'concurrency-exhausted';
}

export class InvalidPositionError extends DomainError<'invalid-position'> {
  readonly code = 'invalid-position';
  readonly issues: readonly Issue[];

  /** `member`: the member of the request that names the position. */
  constructor(message: string, member = 'asOf', options: ErrorOptions = {}) {
    super(message, options);
    this.issues = [{ pointer: `/${member}`, detail: message }];
  }
}

/** Makes a refusal of a position point to the member of the request that named the position, instead of `asOf`. */
export async function positionNamed<Result>(
  member: string,
  resolution: Promise<Result>,
): Promise<Result> {
  try {
    return await resolution;
  } catch (cause) {
    if (cause instanceof InvalidPositionError)
      throw new InvalidPositionError(cause.message, member, { cause });
    throw cause;
  }
}

/** This version of the server cannot read an event of the context or its envelope. */
export class EventUnreadableError extends DomainError<'event-unreadable'> {
  readonly code = 'event-unreadable';
}

/**
 * The resource does not exist, is in another workspace, or is out of reach of the key: callers cannot distinguish these
 * cases.
 */
export class ResourceNotFoundError extends DomainError<'not-found'> {
  readonly code = 'not-found';
}

/** The state of a run or job does not permit the request. */
export class RunStateError extends DomainError<'run-state'> {
  readonly code = 'run-state';
}

/** The input fits its schema but is invalid. `pointer`: RFC 6901, into the body. */
export class InvalidInputError extends DomainError<'validation-failed'> {
  readonly code = 'validation-failed';
  constructor(readonly issues: readonly Readonly<{ pointer: string; detail: string }>[]) {
    super(describeIssues(issues));
  }
}

/** The key has reached its limit of waiting requests. */
export class TooManyWaitingError extends DomainError<'rate-limited'> {
  readonly code = 'rate-limited';
}

/** The server has reached a limit of its load. */
export class ServerBusyError extends DomainError<'unavailable'> {
  readonly code = 'unavailable';
}

/** The key of a request was revoked or expired while the request waited. */
export class KeyEndedError extends DomainError<'unauthenticated'> {
  readonly code = 'unauthenticated';
}
