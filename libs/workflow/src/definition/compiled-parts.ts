/** A route to a step. After `maxVisits` uses, a run goes to `onLimit` instead, or fails if there is none. */
export type Route = Readonly<{
  to: string;
  maxVisits: number | undefined;
  onLimit: string | undefined;
}>;

/** `skip`: the run continues at `next` as if the step did not exist. */
export type ErrorRoute = 'skip' | Route;

/**
 * The delay before attempt n + 1 is `delayMs * factor ** (n - 1)`, at most `maxDelayMs`; with full jitter, a random
 * part of that.
 */
export type RetryPolicy = Readonly<{
  maxAttempts: number;
  delayMs: number;
  factor: number;
  maxDelayMs: number;
  jitter: 'full' | 'none';
  nonRetryable: readonly string[];
}>;

/** How to handle an attempt in doubt, which may or may not have taken effect. */
export type Recovery =
  | Readonly<{ kind: 'replay_safe' | 'keyed' | 'ask' }>
  /** `agent` checks whether the attempt took effect. */
  | Readonly<{ kind: 'verify'; agent: string }>;

export type AttemptPolicy = Readonly<{
  retry: RetryPolicy;
  /** For one attempt, from its start. */
  timeoutMs: number;
  /** If undefined, the kind of the agent determines it. */
  recovery: Recovery | undefined;
}>;

/** Steps that run in parallel branches, or in a sequence from the first one. */
export type Region = Readonly<{
  /** Ids in the order of the definition. */
  steps: readonly string[];
  /** The steps at which branches begin; for a sequence, its first step. */
  entries: readonly string[];
}>;
