import { type ProblemCode } from './problem-code.js';

export type ProblemKind = Readonly<{
  status: number;
  title: string;
  /** What is said where the occurrence has nothing of its own to say. */
  detail: string;
  /** Seconds a client should wait before it repeats the request. */
  retryAfter?: number;
}>;

/** One row per code: a forgotten row does not compile. */
export const problemTable: Record<ProblemCode, ProblemKind> = {
  'invalid-json': {
    status: 400,
    title: 'The body is not JSON',
    detail: 'the body is not one JSON text in UTF-8',
  },
  'invalid-header': {
    status: 400,
    title: 'A header is malformed',
    detail: 'a header, or the HTTP message itself, is not formed as /docs describes it',
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
    detail: 'the header Origin names none of the origins in CORS_ORIGINS',
  },
  'context-not-found': {
    status: 404,
    title: 'No such context',
    detail: 'there is no context of this id within reach of this key',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    detail: 'there is no route for this method and address: /docs lists the routes',
  },
  'not-acceptable': {
    status: 406,
    title: 'The answer is of another media type',
    detail: 'the header Accept excludes the media type of this answer',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    detail: 'the request did not arrive in full within the time limit: send it again',
  },
  'context-exists': {
    status: 409,
    title: 'The context exists already',
    detail: 'a context of this id was created before, by another request',
  },
  'context-closed': {
    status: 409,
    title: 'The context is closed',
    detail: 'a closed context refuses every write but reopening',
  },
  'decision-topic-taken': {
    status: 409,
    title: 'The topic has a live decision',
    detail: 'another decision on this topic is live: supersede it to replace it',
  },
  'circuit-open': {
    status: 409,
    title: 'The circuit breaker is open',
    detail: 'the subject was repeated as often as allowed, and waits for a person',
  },
  'concurrency-exhausted': {
    status: 409,
    title: 'Others kept writing first',
    detail: 'other processes wrote first each time; nothing was stored: repeat the request',
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
    detail: 'the operation does not fit the state the run or job is in',
  },
  'stale-attempt': {
    status: 409,
    title: 'The attempt is not current',
    detail: 'the attempt has ended, or another one has taken its place',
  },
  'receipt-erased': {
    status: 410,
    title: 'What the receipt showed was erased',
    detail: 'an erasure removed data from the text of this receipt',
  },
  'version-conflict': {
    status: 412,
    title: 'The context has moved on',
    detail:
      'the context is not at the version If-Match names: read what was missed and decide again',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    detail: 'bodies hold at most 1 MiB, whole documents 16 MiB',
  },
  'append-too-large': {
    status: 413,
    title: 'The events are too large together',
    detail: 'the events of one request, encoded with their metadata, hold at most 1 MiB',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Not a media type this operation reads',
    detail: 'send Content-Type: application/json; PATCH also takes application/merge-patch+json',
  },
  'host-not-allowed': {
    status: 421,
    title: 'Not a name of this server',
    detail: 'the header Host names neither this machine nor one of the names in ALLOWED_HOSTS',
  },
  'validation-failed': {
    status: 422,
    title: 'The input is not valid',
    detail: 'the input breaks the schema in /openapi.json',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key was used with another body',
    detail: 'this Idempotency-Key was seen before on this path, with another body',
  },
  'invalid-position': {
    status: 422,
    title: 'No such position',
    detail: 'asOf is neither a version of this context nor an RFC 3339 time with offset',
  },
  'budget-too-small': {
    status: 422,
    title: 'The token budget is too small',
    detail: 'the smallest view, or the prompt, takes more tokens than allowed',
  },
  'not-expressible': {
    status: 422,
    title: 'No event can express this change',
    detail: 'the document differs in a place that cannot be changed by writing a document',
  },
  'precondition-required': {
    status: 428,
    title: 'If-Match is required',
    detail: 'send If-Match with the ETag of what you read, or its _version in the document',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'this key has used up its rate: wait as long as Retry-After says',
    retryAfter: 1,
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong on our side',
    detail:
      'nothing is known to be wrong with the request: repeat it, and report its X-Request-Id if it stays',
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
    detail: 'the database has no room left and nothing was stored: the operator makes room',
    retryAfter: 30,
  },
  'outcome-unknown': {
    status: 503,
    title: 'Whether it was stored is not known',
    detail:
      'the connection was lost before the confirmation: repeat the request with its Idempotency-Key, and it is stored once',
    retryAfter: 1,
  },
  'event-unreadable': {
    status: 503,
    title: 'An event of this context cannot be read',
    detail: 'the context holds an event this version of the server cannot read: a newer one may',
    retryAfter: 60,
  },
};
