import { type StoredEvent } from './api.js';
import { type SentWrite } from './sent-write.js';

/** RFC 9457, as the server sends it. */
export type Problem = Readonly<{
  type: string;
  title: string;
  status: number;
  detail?: string;
  instance?: string;
  errors?: readonly Readonly<{ pointer: string; detail: string; suggestion?: string }>[];
  [member: string]: unknown;
}>;

type ErrorFacts = Readonly<{
  /** The status of the answer; undefined if there was none. */
  status?: number | undefined;
  problem?: Problem | undefined;
  /** The `Retry-After` of the answer. */
  retryAfterMs?: number | undefined;
  requestId?: string | undefined;
  /** The write that was refused or not answered. */
  write?: SentWrite | undefined;
  /** The body of the answer, as text. */
  text?: string | undefined;
  cause?: unknown;
}>;

/**
 * Any failure that this client reports. `code` is the code of the server's problem (`/problems/<code>` explains it), or one of
 * `no-answer`, `write-aborted`, `unexpected-answer` and `run-not-ended`, which only this client uses.
 */
export class ThroughlineError extends Error {
  /** The same in every copy of this package, unlike the class. */
  readonly isThroughlineError = true;
  override readonly name: string = 'ThroughlineError';
  readonly status: number | undefined;
  readonly problem: Problem | undefined;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  /** The key of the write that was refused or not answered. A repetition of the same body with this key is stored once. */
  readonly idempotencyKey: string | undefined;
  readonly text: string | undefined;
  /** Private, because logs print the members of errors, and bodies may be long or confidential. */
  readonly #write: SentWrite | undefined;

  constructor(
    readonly code: string,
    message: string,
    { cause, ...facts }: ErrorFacts = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = facts.status;
    this.problem = facts.problem;
    this.retryAfterMs = facts.retryAfterMs;
    this.requestId = facts.requestId;
    this.idempotencyKey = facts.write?.options.idempotencyKey;
    this.text = facts.text;
    this.#write = facts.write;
  }

  /** The write that was refused or not answered; it can be sent again unchanged. */
  get write(): SentWrite | undefined {
    return this.#write;
  }
}

/** The context is not at the expected version of the write; nothing was stored. */
export class VersionConflictError extends ThroughlineError {
  declare readonly code: 'version-conflict';
  override readonly name = 'VersionConflictError';
  readonly expectedVersion: number;
  readonly currentVersion: number;
  /** The events in between that the key may see, oldest first, at most 100. */
  readonly missed: readonly StoredEvent[];
  readonly missedTruncated: boolean;

  constructor(message: string, facts: ErrorFacts & Readonly<{ problem: Problem }>) {
    super('version-conflict', message, facts);
    const { problem } = facts;
    this.expectedVersion = Number(problem['expectedVersion']);
    this.currentVersion = Number(problem['currentVersion']);
    this.missed = Array.isArray(problem['missed']) ? problem['missed'] : [];
    this.missedTruncated = problem['missedTruncated'] === true;
  }
}

/** The key was used with another body before; nothing was stored. */
export class IdempotencyKeyReusedError extends ThroughlineError {
  declare readonly code: 'idempotency-key-reused';
  override readonly name = 'IdempotencyKeyReusedError';
}

/**
 * The server does not know whether it has stored the write, and retries did not help. Repeat the same body with
 * {@link idempotencyKey}: it is stored once.
 */
export class OutcomeUnknownError extends ThroughlineError {
  declare readonly code: 'outcome-unknown';
  override readonly name = 'OutcomeUnknownError';
  declare readonly idempotencyKey: string;
}

/** The attempt has ended, or another one has taken its place. */
export class StaleAttemptError extends ThroughlineError {
  declare readonly code: 'stale-attempt';
  override readonly name = 'StaleAttemptError';
}

/** There is a live decision on this topic; a new one must supersede it. */
export class DecisionTopicTakenError extends ThroughlineError {
  declare readonly code: 'decision-topic-taken';
  override readonly name = 'DecisionTopicTakenError';
}

/** The input is invalid; `faults` has the positions. */
export class ValidationError extends ThroughlineError {
  declare readonly code: 'validation-failed';
  override readonly name = 'ValidationError';

  get faults(): NonNullable<Problem['errors']> {
    return this.problem?.errors ?? [];
  }
}

/**
 * No complete answer was received, even after retries. A write may have been stored: repeat the same body with
 * {@link idempotencyKey} to find out.
 */
export class ConnectionError extends ThroughlineError {
  declare readonly code: 'no-answer';
  override readonly name = 'ConnectionError';

  constructor(message: string, facts: ErrorFacts) {
    super('no-answer', message, facts);
  }
}

/**
 * The signal of a write aborted after it was sent: it may have been stored. Send {@link write} again to find out. The cause is the
 * reason of the signal.
 */
export class WriteAbortedError extends ThroughlineError {
  declare readonly code: 'write-aborted';
  override readonly name = 'WriteAbortedError';
  declare readonly idempotencyKey: string;
  readonly #sent: SentWrite;

  constructor(write: SentWrite, cause: unknown) {
    const message = 'the write was aborted before it was answered, and may have been stored';
    super('write-aborted', message, { cause, write });
    this.#sent = write;
  }

  override get write(): SentWrite {
    return this.#sent;
  }
}

type ErrorsByCode = {
  'version-conflict': VersionConflictError;
  'idempotency-key-reused': IdempotencyKeyReusedError;
  'outcome-unknown': OutcomeUnknownError;
  'stale-attempt': StaleAttemptError;
  'decision-topic-taken': DecisionTopicTakenError;
  'validation-failed': ValidationError;
  'no-answer': ConnectionError;
  'write-aborted': WriteAbortedError;
};

type ErrorOf<Code extends string> = Code extends keyof ErrorsByCode
  ? ErrorsByCode[Code]
  : ThroughlineError & Readonly<{ code: Code }>;

/** Also recognizes errors of another copy of this package, unlike `instanceof`. */
export function isThroughlineError(error: unknown): error is ThroughlineError;
export function isThroughlineError<Code extends keyof ErrorsByCode | (string & {})>(
  error: unknown,
  code: Code,
): error is ErrorOf<Code>;
export function isThroughlineError(error: unknown, code?: string): boolean {
  if (!(error instanceof Error) || !('isThroughlineError' in error)) return false;
  return code === undefined || (error as ThroughlineError).code === code;
}

const classes = {
  'idempotency-key-reused': IdempotencyKeyReusedError,
  'outcome-unknown': OutcomeUnknownError,
  'stale-attempt': StaleAttemptError,
  'decision-topic-taken': DecisionTopicTakenError,
  'validation-failed': ValidationError,
} as const;

/** Returns the error for an answer with a status other than 2xx. */
export function errorOfAnswer(facts: ErrorFacts & Readonly<{ status: number }>): ThroughlineError {
  const problem = parseProblem(facts.text);
  if (!problem) {
    const message = `the server answered ${facts.status} without a reason`;
    return new ThroughlineError('unexpected-answer', message, facts);
  }
  const code = problem.type.slice(problem.type.lastIndexOf('/') + 1);
  const message = messageOf(problem, code);
  if (code === 'version-conflict') return new VersionConflictError(message, { ...facts, problem });
  const Class = isKnown(code) ? classes[code] : ThroughlineError;
  return new Class(code, message, { ...facts, problem });
}

function isKnown(code: string): code is keyof typeof classes {
  return Object.hasOwn(classes, code);
}

function messageOf(problem: Problem, code: string): string {
  const faults = (problem.errors ?? []).map(
    ({ pointer, detail }) => `; ${pointer || '/'}: ${detail}`,
  );
  return `${problem.detail ?? problem.title} (${problem.status} ${code})${faults.join('')}`;
}

function parseProblem(text: string | undefined): Problem | undefined {
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    return isProblem(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'title' in value &&
    typeof value.title === 'string'
  );
}
