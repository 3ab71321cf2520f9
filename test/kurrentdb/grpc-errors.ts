import { Metadata, type ServerErrorResponse, status } from '@grpc/grpc-js';

import { type ExpectedRevision } from './append-decision.js';

// The answer of the server to a failed call (RpcExceptions.cs): a status, and trailers that name the exception.

export class CallFailure extends Error implements ServerErrorResponse {
  override readonly name = 'CallFailure';
  readonly metadata = new Metadata();

  constructor(
    readonly code: status,
    readonly details: string,
    trailers: Readonly<Record<string, string>> = {},
  ) {
    super(details);
    for (const [key, value] of Object.entries(trailers)) this.metadata.set(key, value);
  }
}

export const notReady = () => new CallFailure(status.UNAVAILABLE, 'Server Is Not Ready');

export const cancelled = () => new CallFailure(status.CANCELLED, 'Operation cancelled.');

export const unavailable = () => new CallFailure(status.UNAVAILABLE, 'Server is shutting down.');

export const timedOut = (message: string) =>
  new CallFailure(status.ABORTED, `Operation timed out: ${message}`);

export const unauthenticated = () => new CallFailure(status.UNAUTHENTICATED, '');

export const invalidArgument = (message: string) =>
  new CallFailure(status.INVALID_ARGUMENT, message);

/** RpcExceptions.cs maps it for subscriptions only: the enumerators of reads do not have this result. */
export const invalidPosition = (isSubscription: boolean) =>
  isSubscription
    ? invalidArgument('Trying to read from an invalid position.')
    : new CallFailure(status.UNKNOWN, 'Unexpected ReadAllResult: InvalidPosition');

/** TFChunkReader.cs: a backward read accepts no position after the end of the log. */
export const positionBeyondEnd = () =>
  new CallFailure(status.UNKNOWN, 'Unexpected ReadAllResult: Error');

/** IndexReader.cs requires a revision of 0 or more; the end is not a revision. */
export const invalidRevision = () =>
  new CallFailure(status.UNKNOWN, 'Unexpected ReadStreamResult: Error');

/** An input that a handler does not expect, such as a commit position below the prepare position. */
export const unexpected = () => new CallFailure(status.UNKNOWN, 'Exception was thrown by handler.');

export const accessDenied = () =>
  new CallFailure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

export const notLeader = (host: string, port: number) =>
  new CallFailure(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

export const streamDeleted = (stream: string) =>
  new CallFailure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': toHeader(stream),
  });

export const maxAppendSizeExceeded = (limit: number) =>
  new CallFailure(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });

export const wrongExpectedVersion = (
  operation: string,
  stream: string,
  { expected, current }: Readonly<{ expected: ExpectedRevision; current: bigint }>,
) =>
  new CallFailure(
    status.FAILED_PRECONDITION,
    `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${toNumber(expected)}, ` +
      `Actual version: ${current}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': toHeader(stream),
      'expected-version': String(toNumber(expected)),
      'actual-version': String(current),
    },
  );

/** Trailers are printable ASCII. */
function toHeader(text: string): string {
  return text.replace(/[^ -~]/gu, encodeURIComponent);
}

export function toNumber(expected: ExpectedRevision): bigint {
  switch (expected) {
    case 'any':
      return -2n;
    case 'no_stream':
      return -1n;
    case 'stream_exists':
      return -4n;
    default:
      return expected;
  }
}
