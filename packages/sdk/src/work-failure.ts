import { reasonOf } from './failure-reason.js';

type Facts = Readonly<{
  /** The class of the failure, by which a step may exclude it from retries. */
  code?: string | undefined;
  retryable?: boolean | undefined;
  /** The least time until the next attempt, a day at most. */
  retryAfterMs?: number | undefined;
  /** What there is in spite of the failure, any JSON. */
  output?: unknown;
  cause?: unknown;
}>;

/** What the server is told of a failure. */
export type FailureReport = Readonly<{ reason: string }> & Omit<Facts, 'cause'>;

const longestRetryAfterMs = 86_400_000;

/** Thrown by a handler, it says how its attempt has failed. Any other error is a failure with its message as the reason. */
export class WorkFailure extends Error {
  override readonly name = 'WorkFailure';
  readonly #facts: Omit<Facts, 'cause'>;

  constructor(reason: string, { cause, ...facts }: Facts = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.#facts = facts;
  }

  get code(): string | undefined {
    return this.#facts.code;
  }

  /** As the server is told. Reasons are cut after 10,000 characters. */
  report(): FailureReport {
    const { retryAfterMs, ...facts } = this.#facts;
    return { reason: reasonOf(this), ...facts, ...wholeMs(retryAfterMs) };
  }
}

function wholeMs(ms: number | undefined): Readonly<{ retryAfterMs?: number }> {
  if (ms === undefined || Number.isNaN(ms)) return {};
  return { retryAfterMs: Math.min(longestRetryAfterMs, Math.max(0, Math.ceil(ms))) };
}
