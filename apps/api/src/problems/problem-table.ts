import { type ProblemCode } from './problem-code.js';

export type ProblemKind = Readonly<{
  status: number;
  title: string;
  /** Seconds a client should wait before it repeats the request. */
  retryAfter?: number;
}>;

/** One row per code: a forgotten row does not compile. */
export const problemTable: Record<ProblemCode, ProblemKind> = {
  'invalid-json': { status: 400, title: 'The body is not JSON' },
  'invalid-header': { status: 400, title: 'A header is malformed' },
  unauthenticated: { status: 401, title: 'A valid key is required' },
  forbidden: { status: 403, title: 'The key may not do this' },
  'context-not-found': { status: 404, title: 'No such context' },
  'not-found': { status: 404, title: 'Not found' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'context-exists': { status: 409, title: 'The context exists already' },
  'context-closed': { status: 409, title: 'The context is closed' },
  'decision-topic-taken': { status: 409, title: 'The topic has a live decision' },
  'circuit-open': { status: 409, title: 'The circuit breaker is open' },
  'concurrency-exhausted': { status: 409, title: 'Others kept writing first' },
  'approval-decided': { status: 409, title: 'The approval is decided already' },
  'run-state': { status: 409, title: 'The run is in another state' },
  'receipt-erased': { status: 410, title: 'What the receipt showed was erased' },
  'version-conflict': { status: 412, title: 'The context has moved on' },
  'payload-too-large': { status: 413, title: 'The body is too large' },
  'append-too-large': { status: 413, title: 'The events are too large together' },
  'unsupported-media-type': { status: 415, title: 'Not a media type this operation reads' },
  'validation-failed': { status: 422, title: 'The input is not valid' },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key was used with another body',
  },
  'invalid-position': { status: 422, title: 'No such position' },
  'budget-too-small': { status: 422, title: 'The token budget is too small' },
  'not-expressible': { status: 422, title: 'No event can express this change' },
  'precondition-required': { status: 428, title: 'If-Match is required' },
  'rate-limited': { status: 429, title: 'Too many requests', retryAfter: 1 },
  'internal-error': { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The store does not answer', retryAfter: 1 },
  'storage-full': { status: 503, title: 'The store is full', retryAfter: 30 },
  'outcome-unknown': { status: 503, title: 'Whether it was stored is not known', retryAfter: 1 },
  'event-unreadable': {
    status: 503,
    title: 'An event of this context cannot be read',
    retryAfter: 60,
  },
};
