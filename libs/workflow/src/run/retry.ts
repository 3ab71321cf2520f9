import { type RetryPolicy } from '../definition/compiled-parts.js';
import { failRun, settleCancel } from './end-run.js';
import { reachedEvents, reachedDuration } from './guards.js';
import { failVisit } from './routing.js';
import { type RunDraft, timeOf } from './run-draft.js';

/**
 * The maximum number of lost workers of a visit after which it is attempted again, so that a step that crashes its
 * workers is not repeated endlessly.
 */
export const maxLost = 5;

/** The failure of an attempt. */
type AttemptFailure = Readonly<{
  reason: string;
  code?: string | undefined;
  retryable: boolean;
  retryAfterMs?: number | undefined;
}>;

/** Handles a failed attempt: schedules the next one if the policy allows it; otherwise the visit fails. */
export function afterFailure(draft: RunDraft, stepId: string, failure: AttemptFailure): void {
  if (draft.run.status === 'cancelling') {
    settleCancel(draft);
    return;
  }
  const step = draft.definitionOf(stepId);
  const policy = step.type === 'agent' ? step.attempts.retry : undefined;
  const { recovers } = draft.step(stepId);
  if (!policy || !mayRetry(draft, stepId, { policy, failure }))
    failVisit(draft, stepId, failure.reason);
  else
    scheduleAttempt(draft, stepId, {
      delayMs: Math.max(delayOf(draft, stepId, policy), failure.retryAfterMs ?? 0),
      // It is still unknown whether that attempt took effect.
      ...(recovers !== null && { recovers }),
    });
}

type NextAttempt = Readonly<{ delayMs: number; recovers?: number; agent?: string }>;

/** `recovers`: the attempt in doubt; `agent`: the agent that verifies it, if the recovery is `verify`. */
export function scheduleAttempt(draft: RunDraft, stepId: string, next: NextAttempt): void {
  const reached = reachedDuration(draft) ?? reachedEvents(draft);
  if (reached) {
    failRun(draft, reached);
    return;
  }
  const step = draft.definitionOf(stepId);
  if (step.type !== 'agent') throw new TypeError(`step "${stepId}" has no attempts`);
  const { recovers, agent } = next;
  draft.append({
    type: 'StepScheduled',
    data: {
      ...draft.visitFields(stepId),
      attempt: draft.step(stepId).attempt + 1,
      agent: agent ?? step.agent,
      dueAt: timeOf(draft.circumstances.now + next.delayMs),
      ...(recovers !== undefined && { recovers }),
      ...(agent !== undefined && { verify: true }),
    },
  });
}

function mayRetry(
  draft: RunDraft,
  stepId: string,
  { policy, failure }: Readonly<{ policy: RetryPolicy; failure: AttemptFailure }>,
): boolean {
  const isExcluded = failure.code !== undefined && policy.nonRetryable.includes(failure.code);
  return failure.retryable && !isExcluded && draft.step(stepId).failed < policy.maxAttempts;
}

/** Exponential with full jitter, so that simultaneous failures are not retried simultaneously. */
function delayOf(draft: RunDraft, stepId: string, policy: RetryPolicy): number {
  const { delayMs, factor, maxDelayMs, jitter } = policy;
  const grown = delayMs * factor ** Math.max(0, draft.step(stepId).failed - 1);
  const delay = Math.min(grown, maxDelayMs);
  return Math.floor(jitter === 'full' ? delay * draft.circumstances.random : delay);
}
