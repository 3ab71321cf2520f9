import { type AttemptPolicy, type Recovery, type RetryPolicy } from './compiled-parts.js';
import { workflowDefaults } from './defaults.js';
import { type CommonFields } from './fields.schema.js';

/** The attempt policy of a step; `agent` is the agent that carries out its attempts. */
export function compileAttempts(step: CommonFields, agent: string): AttemptPolicy {
  return {
    retry: compileRetry(step),
    timeoutMs: step.timeout_ms ?? workflowDefaults.timeoutMs,
    recovery: compileRecovery(step, agent),
  };
}

/** The retry policy of a step. */
export function compileRetry({
  max_retries,
  retry_delay_ms,
  retry = {},
}: CommonFields): RetryPolicy {
  return {
    ...compileDelays(retry.delay_ms ?? retry_delay_ms ?? workflowDefaults.retryDelayMs, retry),
    maxAttempts: retry.max_attempts ?? max_retries ?? workflowDefaults.maxAttempts,
    nonRetryable: retry.non_retryable ?? [],
  };
}

function compileDelays(delayMs: number, retry: NonNullable<CommonFields['retry']>) {
  return {
    delayMs,
    factor: retry.factor ?? workflowDefaults.retryFactor,
    maxDelayMs: retry.max_delay_ms ?? Math.max(delayMs, workflowDefaults.retryMaxDelayMs),
    jitter: retry.jitter ?? workflowDefaults.retryJitter,
  };
}

function compileRecovery({ recovery, verify }: CommonFields, agent: string): Recovery | undefined {
  if (recovery === undefined) return undefined;
  return recovery === 'verify' ? { kind: recovery, agent: verify ?? agent } : { kind: recovery };
}
