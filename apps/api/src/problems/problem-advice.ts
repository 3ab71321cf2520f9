import { type ProblemCode } from './problem-code.js';

type ProblemAdvice = Readonly<{ meaning: string; remedy: string }>;

/** What the page of each code tells a person. */
export const problemAdvice: Record<ProblemCode, ProblemAdvice> = {
  'invalid-json': {
    meaning:
      'The body is not one JSON text in UTF-8, or an object in it gives the same key twice. Line and column of the fault are in `detail`.',
    remedy: 'Serialise the body with a JSON library and send it as UTF-8.',
  },
  'invalid-header': {
    meaning:
      'A header, or the HTTP message itself, is not formed as the API documents it. `detail` names it.',
    remedy:
      'If-Match is an ETag of this server as it was sent, such as "5" in quotes; Idempotency-Key is 1 to 255 visible ASCII characters; Trust is human, agent, tool or web.',
  },
  unauthenticated: {
    meaning:
      'The request carries no `Authorization: Bearer <secret>`, or the key is unknown, expired or revoked.',
    remedy: 'Send the secret of a key of this server. Keys are made with `POST /v1/keys`.',
  },
  forbidden: {
    meaning: 'The key is valid, but its role or its limits do not allow this operation.',
    remedy: 'Use a key of the role the operation needs; `GET /v1/me` shows what yours may do.',
  },
  'origin-not-allowed': {
    meaning:
      'A browser sent the request for a page whose origin is not listed. Programs that are no browsers send no `Origin`.',
    remedy: 'The operator lists the origin in `CORS_ORIGINS`, such as `https://app.example`.',
  },
  'context-not-found': {
    meaning:
      'There is no context of this id in the workspace, or the key may not reach it, or it did not exist at the time asked for.',
    remedy:
      'Check the id and the workspace of the key; create the context with `POST /v1/contexts`.',
  },
  'not-found': {
    meaning: 'There is nothing at this address, or nothing the key may reach.',
    remedy: 'Check method, path and ids against `/docs`.',
  },
  'not-acceptable': {
    meaning: 'Live streams are answered as `text/event-stream`, which `Accept` excludes.',
    remedy: 'Accept `text/event-stream`, or read `GET .../events` or `/v1/feed` with `wait`.',
  },
  'request-timeout': {
    meaning:
      'The connection was open, but the request did not arrive in full within the time limit.',
    remedy: 'Send the request again.',
  },
  'context-exists': {
    meaning: 'A context of this id was created before, by another request.',
    remedy: 'Use another id, or work on the existing context.',
  },
  'context-closed': {
    meaning:
      'A closed context refuses every write but reopening, and closing with another outcome.',
    remedy: 'Reopen it with `POST /v1/contexts/{id}/reopen`, if the work is to go on.',
  },
  'decision-topic-taken': {
    meaning: 'At most one decision per topic is live. `detail` names the one that is.',
    remedy: 'Read it; to replace it, record yours with `supersedes` naming its id.',
  },
  'circuit-open': {
    meaning: 'The subject was repeated as often as allowed, and waits for a person.',
    remedy:
      'A person resets the breaker with a reason. Until then an agent does not go back to an earlier version either.',
  },
  'concurrency-exhausted': {
    meaning:
      'The server decided the write anew for as long as an append may take, and each time another process appended before it. Nothing was stored.',
    remedy: 'Repeat the request, with the same Idempotency-Key if it has one.',
  },
  'approval-decided': {
    meaning: 'The decision has already been approved or rejected.',
    remedy: 'Read the verdict; record a new decision if it should change.',
  },
  'inside-append': {
    meaning:
      'The version lies between two events that one request has written: nobody has ever met the context like that. `before` is the version before that write, null if the context begins with it, and `end` its last one.',
    remedy:
      'Name one of the two. Events, changes and differences may begin and end at any version.',
  },
  'run-state': {
    meaning:
      'The operation does not fit the state the run or job is in, or another rebuild of the projection is under way (`jobId`).',
    remedy: 'Read the run or job and choose an operation its state allows.',
  },
  'stale-attempt': {
    meaning:
      'The attempt that the token belongs to has ended, or another one has taken its place. Nothing was stored.',
    remedy: 'Drop the result, stop what still runs for the attempt, and claim new work.',
  },
  'receipt-erased': {
    meaning: 'An erasure removed personal data from what this receipt stands for.',
    remedy: 'Nothing can bring it back; read the present state instead.',
  },
  'version-conflict': {
    meaning:
      '`If-Match`, or `_version` of a document, names a version that is not the current one. Nothing was stored. `missed` holds the events in between, `currentVersion` is what to condition on next.',
    remedy:
      'Look at `missed`, decide again, and repeat with the new version, after `retryAfterMs` milliseconds at the earliest.',
  },
  'payload-too-large': {
    meaning: 'Bodies hold at most 1 MiB; whole-document updates and imports 16 MiB.',
    remedy: 'Split it up, or keep the bytes elsewhere and reference them as an artifact.',
  },
  'append-too-large': {
    meaning:
      'The events of one request, encoded with their metadata, hold at most 1 MiB, and the values that they change at most 8 MiB together, 2 MiB each.',
    remedy: 'Send them in several requests; keep what is large in several members.',
  },
  'unsupported-media-type': {
    meaning:
      'Bodies are `application/json` in UTF-8, uncompressed; PATCH also takes `application/merge-patch+json`.',
    remedy: 'Send `Content-Type: application/json`.',
  },
  'host-not-allowed': {
    meaning:
      'The server was reached under a name that is not its own. It refuses that because pages of other sites reach servers on this machine under names that they control.',
    remedy:
      'Use 127.0.0.1 or localhost, or list the name in `ALLOWED_HOSTS`; behind a proxy, that is the name in the `Host` that it passes on.',
  },
  'validation-failed': {
    meaning:
      'The input is well formed, but breaks the schema, is nested deeper than 64, or holds a number no double keeps exactly. `errors` names every place.',
    remedy: 'Correct what `errors` points to; `/openapi.json` has the schemas.',
  },
  'idempotency-key-reused': {
    meaning: 'A key stands for one request. It was seen before on this path with a different body.',
    remedy: 'Use a new key for a new request; repeat a request with its body unchanged.',
  },
  'invalid-position': {
    meaning:
      '`asOf` is neither a version of this context nor an RFC 3339 time with offset, or lies beyond its head.',
    remedy: 'Use a version from 1 to the current one, or a time such as 2030-01-31T12:00:00Z.',
  },
  'budget-too-small': {
    meaning:
      'The smallest view, or the prompt, takes more tokens than allowed; `minimumTokens` says how many.',
    remedy: 'Raise `maxTokens` to the minimum; of a view, or accept `overflow=minimum`.',
  },
  'not-expressible': {
    meaning:
      'The document sent differs from the current one in a place that cannot be changed by writing a document. `errors` names it.',
    remedy: 'Leave that member out or as it is, and use the operation made for the change.',
  },
  'precondition-required': {
    meaning:
      'Replacing a document without saying which version it was made from would lose the work of others.',
    remedy:
      'Send `If-Match` with the ETag of the document you changed, or leave its `_version` in the body.',
  },
  'rate-limited': {
    meaning:
      'The key has used up its rate, or has as many requests with `wait` or live streams under way as it may: 1,000 of each in one server process, unless the operator says otherwise.',
    remedy:
      'Wait as long as Retry-After says. Share one waiting request between those who wait for the same.',
  },
  'internal-error': {
    meaning: 'An unexpected fault. The log holds it under the request id of this answer.',
    remedy: 'Repeat the request; report it with the X-Request-Id if it stays.',
  },
  unavailable: {
    meaning:
      'The database or the event store could not be reached, or the server has no room for this request at the moment: `detail` says which. Nothing was stored by this request.',
    remedy: 'Repeat the request after Retry-After.',
  },
  'storage-full': {
    meaning: 'The database has no room left. Nothing was stored by this request.',
    remedy: 'The operator makes room; then repeat the request.',
  },
  'outcome-unknown': {
    meaning: 'The connection to the store was lost between the write and its confirmation.',
    remedy:
      'Repeat the request with the same Idempotency-Key: it is then stored once, whichever way the first one went.',
  },
  'event-unreadable': {
    meaning:
      'The context holds an event this version of the server cannot read. Other contexts are not affected.',
    remedy: 'The operator runs a version that knows the event, usually a newer one.',
  },
};
