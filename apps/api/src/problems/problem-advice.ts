import { type ProblemCode } from './problem-code.js';

type ProblemAdvice = Readonly<{ meaning: string; remedy: string }>;

/** The texts of the documentation page of each problem code. */
export const problemAdvice: Record<ProblemCode, ProblemAdvice> = {
  'invalid-json': {
    meaning:
      'The body is not a single JSON text in UTF-8, or an object in it has a duplicate key. `detail` contains the line and column of the fault.',
    remedy: 'Serialize the body with a JSON library and send it as UTF-8.',
  },
  'invalid-header': {
    meaning: 'A header, or the HTTP message itself, is malformed. `detail` names the fault.',
    remedy:
      'If-Match must be an ETag of this server in quotes, such as "5"; Idempotency-Key must be 1 to 255 visible ASCII characters; Trust must be human, agent, tool or web.',
  },
  unauthenticated: {
    meaning:
      'The request has no header `Authorization: Bearer <secret>`, or the key is unknown, expired or revoked.',
    remedy: 'Send the secret of a key of this server. Create keys with `POST /v1/keys`.',
  },
  forbidden: {
    meaning: 'The key is valid, but its role or its limits do not allow this operation.',
    remedy:
      'Use a key with the role that the operation needs; `GET /v1/me` returns the rights of your key.',
  },
  'origin-not-allowed': {
    meaning:
      'A browser sent the request for a page whose origin is not listed. Other programs do not send the header `Origin`.',
    remedy: 'Ask the operator to list the origin in `CORS_ORIGINS`, such as `https://app.example`.',
  },
  'context-not-found': {
    meaning:
      'There is no context with this id in the workspace, the key may not read it, or it did not exist at the requested time.',
    remedy:
      'Check the id and the workspace of the key; create the context with `POST /v1/contexts`.',
  },
  'not-found': {
    meaning: 'There is no such route or item, or the key may not read it.',
    remedy: 'Compare method, path and ids with `/docs`.',
  },
  'not-acceptable': {
    meaning:
      'The media type of live streams is `text/event-stream`, which the header `Accept` excludes.',
    remedy: 'Accept `text/event-stream`, or read `GET .../events` or `/v1/feed` with `wait`.',
  },
  'request-timeout': {
    meaning:
      'The connection was open, but the request did not arrive completely within the time limit.',
    remedy: 'Send the request again.',
  },
  'context-exists': {
    meaning: 'Another request has already created a context with this id.',
    remedy: 'Use another id, or work on the existing context.',
  },
  'context-closed': {
    meaning:
      'A closed context refuses every write except reopening, and also refuses to be closed with another outcome.',
    remedy: 'Reopen it with `POST /v1/contexts/{id}/reopen` to continue the work.',
  },
  'decision-topic-taken': {
    meaning: 'At most one decision per topic is live. `detail` names the live one.',
    remedy: 'Read it; to replace it, record your decision with its id in `supersedes`.',
  },
  'circuit-open': {
    meaning: 'The subject was repeated as often as the limit allows, and waits for a person.',
    remedy:
      'A person must reset the breaker with a reason. Until then, agents cannot restore an earlier version either.',
  },
  'concurrency-exhausted': {
    meaning:
      'The server repeated the decision until the time limit of an append, and each time another process appended first. Nothing was stored.',
    remedy: 'Repeat the request, with the same Idempotency-Key if it has one.',
  },
  'approval-decided': {
    meaning: 'The decision has already been approved or rejected.',
    remedy: 'Read the verdict; to change it, record a new decision.',
  },
  'inside-append': {
    meaning:
      'The version is between two events that one request has written, so the context was never visible at this version. `before` is the version before that write, or null if the write created the context; `end` is the version after it.',
    remedy:
      'Use one of these two versions. Events, changes and differences may begin and end at any version.',
  },
  'run-state': {
    meaning:
      'The operation is not allowed in the current state of the run or job, or another rebuild of the projection is running (`jobId`).',
    remedy: 'Read the run or job, and use an operation that its state allows.',
  },
  'stale-attempt': {
    meaning:
      'The attempt of the token has ended, or another attempt has replaced it. Nothing was stored.',
    remedy:
      'Discard the result, stop everything that still runs for the attempt, and claim new work.',
  },
  'receipt-erased': {
    meaning: 'An erasure removed personal data from the content of this receipt.',
    remedy: 'The content cannot be recovered; read the current state instead.',
  },
  'version-conflict': {
    meaning:
      '`If-Match`, or `_version` of a document, names a version that is not the current one. Nothing was stored. `missed` contains the events since that version, and `currentVersion` is the current version.',
    remedy:
      'Read `missed`, decide again, and repeat the request with the new version, not before `retryAfterMs` milliseconds have passed.',
  },
  'payload-too-large': {
    meaning: 'The limit for bodies is 1 MiB; for whole-document updates and imports 16 MiB.',
    remedy:
      'Send several requests, or store the content elsewhere and reference it as an artifact.',
  },
  'append-too-large': {
    meaning:
      'The events of one request, encoded with their metadata, are limited to 1 MiB. The values that they change are limited to 2 MiB each and 8 MiB together.',
    remedy: 'Send the events in several requests; distribute large values over several members.',
  },
  'unsupported-media-type': {
    meaning:
      'Bodies must be uncompressed `application/json` in UTF-8; PATCH also accepts `application/merge-patch+json`.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  'host-not-allowed': {
    meaning:
      'The request used a host name that is not a name of this server. The server refuses it because pages of other sites could call servers on this machine under names that they control.',
    remedy:
      'Use 127.0.0.1 or localhost, or list the name in `ALLOWED_HOSTS`; if a proxy forwards requests, list the name in the header `Host` that the proxy sends.',
  },
  'validation-failed': {
    meaning:
      'The input is well-formed, but violates the schema, is nested deeper than 64, or contains a number that a double cannot represent exactly. `errors` lists the faults.',
    remedy: 'Correct the values that `errors` points to; `/openapi.json` contains the schemas.',
  },
  'idempotency-key-reused': {
    meaning:
      'An idempotency key identifies one request. The key was used before on this path with a different body.',
    remedy: 'Use a new key for a new request; to repeat a request, send the same body.',
  },
  'invalid-position': {
    meaning:
      '`asOf` is neither a version of this context nor an RFC 3339 time with offset, or is a version after the current one.',
    remedy: 'Use a version from 1 to the current one, or a time such as 2030-01-31T12:00:00Z.',
  },
  'budget-too-small': {
    meaning:
      'The smallest possible view, or the prompt, takes more tokens than allowed; `minimumTokens` is its number of tokens.',
    remedy: 'Raise `maxTokens` to the minimum; for a view, `overflow=minimum` works too.',
  },
  'not-expressible': {
    meaning:
      'The document changes a member that cannot be changed by replacing the document. `errors` names it.',
    remedy: 'Omit that member or send it unchanged, and use the operation for that change.',
  },
  'precondition-required': {
    meaning:
      'Replacing a document without naming the version that was changed could overwrite the work of others.',
    remedy:
      'Send `If-Match` with the ETag of the document that you changed, or its `_version` in the body.',
  },
  'rate-limited': {
    meaning:
      'The key has used up its rate, or has reached its limit of waiting requests (`wait`) or of live streams: 1,000 each per server process, unless the operator changes it.',
    remedy:
      'Wait for the seconds in Retry-After. Share one waiting request between clients that wait for the same content.',
  },
  'internal-error': {
    meaning:
      'An unexpected error. The log of the server contains it with the request id of this answer.',
    remedy: 'Repeat the request; if the error persists, report it with the X-Request-Id.',
  },
  unavailable: {
    meaning:
      'The database or the event store could not be reached, or the server has no capacity for this request at the moment: `detail` names the reason. Nothing was stored by this request.',
    remedy: 'Repeat the request after Retry-After.',
  },
  'storage-full': {
    meaning: 'The database has no disk space left. Nothing was stored by this request.',
    remedy: 'Ask the operator to free space; then repeat the request.',
  },
  'outcome-unknown': {
    meaning: 'The connection to the store was lost between the write and its confirmation.',
    remedy:
      'Repeat the request with the same Idempotency-Key: the write is then stored once, whether the first request succeeded or not.',
  },
  'event-unreadable': {
    meaning:
      'The context contains an event that this version of the server cannot read. Other contexts are not affected.',
    remedy: 'Ask the operator to run a version that can read the event, usually a newer one.',
  },
};
