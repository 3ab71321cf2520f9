/** A way to a step. After `maxVisits` uses a run goes to `onLimit` instead, or fails if there is none. */
export type Route = Readonly<{
  to: string;
  maxVisits: number | undefined;
  onLimit: string | undefined;
}>;

/** `skip`: the run goes on at `next` as if the step did not exist. */
export type ErrorRoute = 'skip' | Route;

/** The delay before attempt n + 1 is `delayMs * factor ** (n - 1)`, at most `maxDelayMs`; with full jitter a random part of it. */
export type RetryPolicy = Readonly<{
  maxAttempts: number;
  delayMs: number;
  factor: number;
  maxDelayMs: number;
  jitter: 'full' | 'none';
  nonRetryable: readonly string[];
}>;

/** What happens to an attempt in doubt, of which nobody knows whether it took effect. */
export type Recovery =
  | Readonly<{ kind: 'replay_safe' | 'keyed' | 'ask' }>
  /** `agent` finds out whether the attempt took effect. */
  | Readonly<{ kind: 'verify'; agent: string }>;

export type AttemptPolicy = Readonly<{
  retry: RetryPolicy;
  /** Of one attempt, from its start. */
  timeoutMs: number;
  /** Undefined: by the kind of the agent. */
  recovery: Recovery | undefined;
}>;

/** Steps that run beside each other, or one after the other from the first on. */
export type Region = Readonly<{
  /** Ids in the order of the definition. */
  steps: readonly string[];
  /** Where branches begin, or the one step at which a sequence does. */
  entries: readonly string[];
}>;
