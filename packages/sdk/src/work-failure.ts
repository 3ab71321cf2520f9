import { reasonOf } from './failure-reason.js';

type Facts = Readonly<{
  /** The kind of the failure; a step may exclude a kind from retries. */
  code?: string | undefined;
  retryable?: boolean | undefined;
  /** The minimum time until the next attempt, at most a day. */
  retryAfterMs?: number | undefined;
  /** Partial output in spite of the failure, any JSON. */
  output?: unknown;
  cause?: unknown;
}>;

/** The report of a failure to the server. */
export type FailureReport = Readonly<{ reason: string }> & Omit<Facts, 'cause'>;

const longestRetryAfterMs = 86_400_000;

/** An error with details of a failed attempt, thrown by a handler. Any other error is a failure with its message as the reason. */
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

  /** Returns the report to the server. Reasons are cut after 10,000 characters. */
  report(): FailureReport {
    const { retryAfterMs, ...facts } = this.#facts;
    return { reason: reasonOf(this), ...facts, ...wholeMs(retryAfterMs) };
  }
}

function wholeMs(ms: number | undefined): Readonly<{ retryAfterMs?: number }> {
  if (ms === undefined || Number.isNaN(ms)) return {};
  return { retryAfterMs: Math.min(longestRetryAfterMs, Math.max(0, Math.ceil(ms))) };
}
