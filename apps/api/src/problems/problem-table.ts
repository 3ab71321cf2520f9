import { type ProblemCode } from './problem-code.js';

export type ProblemKind = Readonly<{
  status: number;
  title: string;
  /** The default detail, for errors without a message. */
  detail: string;
  /** Seconds that a client should wait before it repeats the request. */
  retryAfter?: number;
}>;

/** One row per code; a missing row does not compile. */
export const problemTable: Record<ProblemCode, ProblemKind> = {
  'invalid-json': {
    status: 400,
    title: 'The body is not JSON',
    detail: 'the body is not a single JSON text in UTF-8',
  },
  'invalid-header': {
    status: 400,
    title: 'A header is malformed',
    detail: 'a header, or the HTTP message itself, is malformed: /docs describes the headers',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid key is required',
    detail: 'send Authorization: Bearer <secret> with a key of this server',
  },
  forbidden: {
    status: 403,
    title: 'The key may not do this',
    detail: 'the role or the limits of this key do not allow this operation',
  },
  'origin-not-allowed': {
    status: 403,
    title: 'Pages of this origin may not call this server',
    detail: 'the header Origin does not match any origin in CORS_ORIGINS',
  },
  'context-not-found': {
    status: 404,
    title: 'No such context',
    detail: 'there is no context with this id that this key may read',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    detail: 'there is no route for this method and address: /docs lists the routes',
  },
  'not-acceptable': {
    status: 406,
    title: 'The answer has another media type',
    detail: 'the header Accept excludes the media type of this answer',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    detail: 'the request did not arrive completely within the time limit: send it again',
  },
  'context-exists': {
    status: 409,
    title: 'The context exists already',
    detail: 'another request has already created a context with this id',
  },
  'context-closed': {
    status: 409,
    title: 'The context is closed',
    detail: 'a closed context refuses every write except reopening',
  },
  'decision-topic-taken': {
    status: 409,
    title: 'The topic has a live decision',
    detail: 'another decision on this topic is live: to replace it, supersede it',
  },
  'circuit-open': {
    status: 409,
    title: 'The circuit breaker is open',
    detail: 'the subject was repeated as often as the limit allows, and waits for a person',
  },
  'concurrency-exhausted': {
    status: 409,
    title: 'Other processes always wrote first',
    detail: 'other processes always wrote first, and nothing was stored: repeat the request',
  },
  'approval-decided': {
    status: 409,
    title: 'The approval is decided already',
    detail: 'the decision has already been approved or rejected',
  },
  'inside-append': {
    status: 409,
    title: 'The version is inside one write',
    detail:
      'the events of one request belong together: use the version before them, or that of the last one',
  },
  'run-state': {
    status: 409,
    title: 'The run or job is in another state',
    detail: 'the operation is not allowed in the current state of the run or job',
  },
  'stale-attempt': {
    status: 409,
    title: 'The attempt is not current',
    detail: 'the attempt has ended, or another attempt has replaced it',
  },
  'receipt-erased': {
    status: 410,
    title: 'The content of the receipt was erased',
    detail: 'an erasure removed data from the content of this receipt',
  },
  'version-conflict': {
    status: 412,
    title: 'The version is not the current one',
    detail:
      'the context is not at the version in If-Match: read the missed events and decide again',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    detail: 'the limit for bodies is 1 MiB, for whole documents 16 MiB',
  },
  'append-too-large': {
    status: 413,
    title: 'The events together are too large',
    detail: 'the events of one request, encoded with their metadata, are limited to 1 MiB',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The operation does not accept this media type',
    detail: 'send Content-Type: application/json; PATCH also accepts application/merge-patch+json',
  },
  'host-not-allowed': {
    status: 421,
    title: 'The host name is not a name of this server',
    detail: 'the header Host names neither this machine nor one of the names in ALLOWED_HOSTS',
  },
  'validation-failed': {
    status: 422,
    title: 'The input is not valid',
    detail: 'the input violates the schema in /openapi.json',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key was used with another body',
    detail: 'this Idempotency-Key was used before on this path, with another body',
  },
  'invalid-position': {
    status: 422,
    title: 'No such position',
    detail: 'asOf is neither a version of this context nor an RFC 3339 time with offset',
  },
  'budget-too-small': {
    status: 422,
    title: 'The token budget is too small',
    detail: 'the smallest possible view, or the prompt, takes more tokens than allowed',
  },
  'not-expressible': {
    status: 422,
    title: 'No event can express this change',
    detail: 'the document changes a member that cannot be changed by replacing the document',
  },
  'precondition-required': {
    status: 428,
    title: 'If-Match is required',
    detail:
      'send If-Match with the ETag of the document that you read, or its _version in the document',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'this key has used up its rate: wait for the seconds in Retry-After',
    retryAfter: 1,
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    detail: 'an unexpected error: repeat the request, and report its X-Request-Id if it persists',
  },
  unavailable: {
    status: 503,
    title: 'The server cannot answer now',
    detail:
      'the database or the event store could not be reached and nothing was stored: repeat the request after Retry-After',
    retryAfter: 1,
  },
  'storage-full': {
    status: 503,
    title: 'The store is full',
    detail: 'no disk space is left and nothing was stored: ask the operator to free space',
    retryAfter: 30,
  },
  'outcome-unknown': {
    status: 503,
    title: 'The outcome of the write is unknown',
    detail:
      'the confirmation was lost: repeat the request with its Idempotency-Key to store it once',
    retryAfter: 1,
  },
  'event-unreadable': {
    status: 503,
    title: 'An event of this context cannot be read',
    detail:
      'the context contains an event that this version of the server cannot read; a newer version may read it',
    retryAfter: 60,
  },
};
