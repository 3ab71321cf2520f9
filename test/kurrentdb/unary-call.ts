import { type ServerUnaryCall, type handleUnaryCall, status } from '@grpc/grpc-js';

import { CallFailure } from './grpc-errors.js';

/** A handler that answers with the result of a function, or with the failure that it throws. */
export function answering<Request, Answer>(
  handle: (call: ServerUnaryCall<Request, Answer>, signal: AbortSignal) => Promise<Answer>,
): handleUnaryCall<Request, Answer> {
  return (call, callback) => {
    const gone = new AbortController();
    call.once('cancelled', () => gone.abort());
    handle(call, gone.signal).then(
      (answer) => callback(null, answer),
      (error: unknown) => callback(toFailure(error)),
    );
  };
}

/** Any other error is a defect of the stand-in: the test gets its text with the status UNKNOWN. */
export function toFailure(error: unknown): CallFailure {
  return error instanceof CallFailure
    ? error
    : new CallFailure(status.UNKNOWN, `The stand-in failed: ${String(error)}`);
}
