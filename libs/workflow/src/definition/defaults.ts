/** What holds if a definition does not say otherwise; the figures are those of the original specification. */
export const workflowDefaults = {
  maxIterations: 100,
  maxDurationMs: 300_000,
  /** Failures that neither `on_error` nor `optional` handles; those of branches count, also if their parallel step goes on. */
  maxErrors: 10,
  maxAttempts: 1,
  retryDelayMs: 0,
  retryFactor: 2,
  retryMaxDelayMs: 300_000,
  retryJitter: 'full',
  timeoutMs: 60_000,
  message: 'Approve?',
  failure: 'continue',
  /** An approval that nobody decides in time is rejected. */
  expiryDecision: 'reject',
} as const;
