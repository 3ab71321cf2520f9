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
 * What a failed call left behind.
 * `not-applied`: nothing, and the next try may go well. `unknown`: it may have been carried out. `refused`: nothing,
 * and trying again would not help.
 */
export type FailureKind = 'not-applied' | 'unknown' | 'refused';

/** The server has sent nothing for as long as a call may wait. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor() {
    super('KurrentDB does not answer');
  }
}

/** Whoever asked has stopped waiting. It says nothing of the server. */
export class CallerLeftError extends Error {
  override readonly name = 'CallerLeftError';

  constructor() {
    super('the caller no longer waits for KurrentDB');
  }
}

/** The node that fell silent is named as leader still, and does not answer. Nothing was sent to it. */
export class SilentNodeError extends Error {
  override readonly name = 'SilentNodeError';

  constructor() {
    super('KurrentDB does not answer');
  }
}

/** The server has refused the password that the connection was opened with; there is another one by now. */
export class AccountChangedError extends Error {
  override readonly name = 'AccountChangedError';

  constructor() {
    super('the password of KurrentDB was changed');
  }
}

/** The event store was closed: no further call is made. */
export class ClosedError extends Error {
  override readonly name = 'ClosedError';

  constructor() {
    super('the event store was closed');
  }
}

/** What an append can be refused with by servers that know a limit for single events; the client does not know it. */
const eventTooLarge = 'maximum-append-event-size-exceeded';
const unknown: UnknownError['code'] = 2;
const invalidArgument: UnknownError['code'] = 3;

export function failureKindOf(error: unknown): FailureKind {
  if (error instanceof NotLeaderError || wasNeverSent(error) || isNotReady(error))
    return 'not-applied';
  const refusals = [AccessDeniedError, StreamDeletedError, ClosedError];
  if (refusals.some((kind) => error instanceof kind) || isInvalidArgument(error)) return 'refused';
  // Without a code it was never sent: no server was found.
  return isFromClient(error) || error instanceof NoAnswerError ? 'unknown' : 'not-applied';
}

/** The transport's own words (@grpc/grpc-js); where it says it otherwise, the outcome is unknown, which is true as well. */
function wasNeverSent(error: unknown): boolean {
  return (
    error instanceof UnavailableError &&
    /No connection established|Name resolution failed/.test(error.message)
  );
}

/** The server's own words for a request that it has not handled: it has just been elected, or has too much to do. */
function isNotReady(error: unknown): boolean {
  return error instanceof UnavailableError && /Server Is (Not Ready|Too Busy)/.test(error.message);
}

function isFromClient(error: unknown): boolean {
  return error instanceof Error && isCommandError(error);
}

/** Whether the server has answered, if only to refuse, instead of the connection or the client. */
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

/** No event of this server has the position. A subscription reports it as an invalid argument, a read as unknown. */
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

/** The limit of the call has passed, by our clock or by that of its client. */
export function isWithoutAnswer(error: unknown): boolean {
  return error instanceof NoAnswerError || error instanceof DeadlineExceededError;
}

/** In our words: several of the client's errors have no message. */
export function describeFailure(error: unknown): string {
  if (error instanceof AccessDeniedError)
    return 'KurrentDB denies access: the user needs to read and write the streams of the namespace, and to read $all';
  if (error instanceof StreamDeletedError) return 'the stream was deleted in KurrentDB for good';
  if (error instanceof NotLeaderError) return 'this node of KurrentDB is not the leader';
  if (error instanceof TimeoutError || error instanceof DeadlineExceededError)
    return 'KurrentDB did not get it done in time';
  const message = error instanceof Error ? error.message : String(error);
  return message || 'KurrentDB gave no reason';
}
