/** Defaults of members; the figures come from the original specification. */
export const workflowDefaults = {
  maxIterations: 100,
  maxDurationMs: 300_000,
  /**
   * Failures that neither `on_error` nor `optional` handles. Failures in branches count even if their parallel step
   * continues.
   */
  maxErrors: 10,
  maxAttempts: 1,
  retryDelayMs: 0,
  retryFactor: 2,
  retryMaxDelayMs: 300_000,
  retryJitter: 'full',
  timeoutMs: 60_000,
  message: 'Approve?',
  failure: 'continue',
  /** An approval without a decision in time is rejected. */
  expiryDecision: 'reject',
} as const;
