import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
  isCommandError,
} from '@eventstore/db-client';

export { MaxAppendSizeExceededError, StreamNotFoundError, WrongExpectedVersionError };

/**
 * The effect of a failed call. `not-applied`: none, and another attempt may succeed. `unknown`: it may have been
 * applied. `refused`: none, and another attempt would fail again.
 */
export type FailureKind = 'not-applied' | 'unknown' | 'refused';

/** The server has sent no data for the maximum time that a call may wait. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor() {
    super('KurrentDB does not answer');
  }
}

/** The caller no longer waits. It does not indicate a problem of the server. */
export class CallerLeftError extends Error {
  override readonly name = 'CallerLeftError';

  constructor() {
    super('the caller no longer waits for KurrentDB');
  }
}

/** The node that stopped answering is still reported as the leader. Nothing was sent to it. */
export class SilentNodeError extends Error {
  override readonly name = 'SilentNodeError';

  constructor() {
    super('KurrentDB does not answer');
  }
}

/** The server rejected the password of the connection, but the password has changed since. */
export class AccountChangedError extends Error {
  override readonly name = 'AccountChangedError';

  constructor() {
    super('the password of KurrentDB was changed');
  }
}

/** The event store was closed: no further calls are made. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError';

  constructor() {
    super('the event store was closed');
  }
}

/** The exception of newer servers for an event above their size limit; the client does not know it. */
const eventTooLarge = 'maximum-append-event-size-exceeded';
const unknown: UnknownError['code'] = 2;
const invalidArgument: UnknownError['code'] = 3;

export function failureKindOf(error: unknown): FailureKind {
  if (error instanceof NotLeaderError || wasNeverSent(error) || isNotReady(error))
    return 'not-applied';
  const refusals = [AccessDeniedError, StreamDeletedError, ClosedError];
  if (refusals.some((kind) => error instanceof kind) || isInvalidArgument(error)) return 'refused';
  // Without a code it was never sent, since no server was found.
  return isFromClient(error) || error instanceof NoAnswerError ? 'unknown' : 'not-applied';
}

/**
 * Matches messages of the transport (@grpc/grpc-js). If they change, the outcome is reported as unknown, which is also
 * correct.
 */
function wasNeverSent(error: unknown): boolean {
  return (
    error instanceof UnavailableError &&
    /No connection established|Name resolution failed/.test(error.message)
  );
}

/** Matches messages of the server for requests that it has not handled: it was just elected, or is overloaded. */
function isNotReady(error: unknown): boolean {
  return error instanceof UnavailableError && /Server Is (Not Ready|Too Busy)/.test(error.message);
}

function isFromClient(error: unknown): boolean {
  return error instanceof Error && isCommandError(error);
}

/**
 * Whether the error is an answer of the server, such as a refusal, instead of an error of the connection or the client.
 */
export function isAnswer(error: unknown): boolean {
  const silent = [UnavailableError, CancelledError, DeadlineExceededError, NoAnswerError];
  return (
    isNotReady(error) || (isFromClient(error) && !silent.some((kind) => error instanceof kind))
  );
}

export function isRefusedAccount(error: unknown): boolean {
  return error instanceof AccessDeniedError;
}

export const noSuchPosition = 'KurrentDB holds no event at this position';

/**
 * The server has no event at the position. A subscription reports an invalid argument, a read reports an unknown error.
 */
export function isInvalidPosition(error: unknown): boolean {
  const isNamed = error instanceof UnknownError && /\bInvalidPosition\b/.test(error.message);
  return isInvalidArgument(error) || (isNamed && error.code === unknown);
}

function isInvalidArgument(error: unknown): boolean {
  return error instanceof UnknownError && error.code === invalidArgument;
}

export function isEventTooLarge(error: unknown): boolean {
  return (
    error instanceof UnknownError && error._raw?.metadata?.get('exception')[0] === eventTooLarge
  );
}

/** The limit of the call has passed, by the clock of this process or of the client. */
export function isWithoutAnswer(error: unknown): boolean {
  return error instanceof NoAnswerError || error instanceof DeadlineExceededError;
}

/** Worded here, since several errors of the client have no message. */
export function describeFailure(error: unknown): string {
  if (error instanceof AccessDeniedError)
    return 'KurrentDB denies access: the user needs to read and write the streams of the namespace, and to read $all';
  if (error instanceof StreamDeletedError) return 'the stream was deleted permanently in KurrentDB';
  if (error instanceof NotLeaderError) return 'this node of KurrentDB is not the leader';
  if (error instanceof TimeoutError || error instanceof DeadlineExceededError)
    return 'KurrentDB did not complete the call in time';
  const message = error instanceof Error ? error.message : String(error);
  return message || 'KurrentDB gave no reason';
}
