import { isActiveRun } from '#shared-context';

import { type Recovery } from '../definition/compiled-parts.js';
import { isCurrent } from './current-attempt.js';
import { settleCancel } from './end-run.js';
import { type LoseAttempt } from './happening.js';
import { approvalIdOf } from './perform.js';
import { maxLost, scheduleAttempt } from './retry.js';
import { failVisit } from './routing.js';
import { type RunDraft } from './run-draft.js';

/** After this many failed verifications of a visit a person is asked; `verifyDelayMs` is the least time between two of them. */
const maxVerifications = 5;
const verifyDelayMs = 1_000;

/** The worker of the attempt is lost: the step's recovery decides whether the attempt is repeated or verified, or a person is asked. */
export function loseAttempt(draft: RunDraft, lost: LoseAttempt): void {
  const { stepId } = lost;
  const { run, given } = draft;
  const step = draft.step(stepId);
  const runs = isCurrent(step, lost) && step.status === 'running';
  if (!runs || !isActiveRun(run) || run.epoch !== given.epoch) return;
  if (run.status === 'cancelling') {
    stop(draft, stepId);
    return;
  }
  const recovery = recoveryAfter(draft, lost);
  if (recovery.kind === 'ask') ask(draft, stepId);
  else repeat(draft, stepId, recovery);
}

/**
 * An attempt that has not reported by its deadline may have taken effect. If the step itself states how to recover from that, this
 * starts the recovery and returns true. Otherwise the attempt has failed, and the retries of the step decide what follows.
 */
export function recoverAfterDeadline(draft: RunDraft, stepId: string): boolean {
  if (draft.run.status === 'cancelling') return false;
  const recovery = recoveryOf(draft, stepId);
  if (recovery?.kind === 'ask') ask(draft, stepId);
  else if (recovery?.kind === 'verify') repeat(draft, stepId, recovery);
  else return false;
  return true;
}

/** Nobody knows whether the attempt took effect: the next one repeats it, or verifies whether it did. */
function repeat(draft: RunDraft, stepId: string, recovery: Recovery): void {
  const { attempt, recovers, lost } = draft.step(stepId);
  if (recovery.kind === 'verify' && lost >= maxLost) {
    ask(draft, stepId);
    return;
  }
  stop(draft, stepId);
  if (draft.step(stepId).lost > maxLost) {
    failVisit(draft, stepId, `its worker was lost ${maxLost + 1} times`);
    return;
  }
  const agent = recovery.kind === 'verify' ? { agent: recovery.agent } : {};
  scheduleAttempt(draft, stepId, { delayMs: 0, recovers: recovers ?? attempt, ...agent });
}

/**
 * A verification has failed: it is repeated, and after too many failures a person is asked. Until then the step is not carried out
 * again.
 */
export function verifyAgain(
  draft: RunDraft,
  stepId: string,
  {
    retryable,
    retryAfterMs = verifyDelayMs,
  }: Readonly<{ retryable: boolean; retryAfterMs?: number | undefined }>,
): void {
  const { agent, attempt, recovers, failed } = draft.step(stepId);
  if (draft.run.status === 'cancelling') settleCancel(draft);
  else if (agent === null || !retryable || failed > maxVerifications) ask(draft, stepId);
  else
    scheduleAttempt(draft, stepId, {
      delayMs: Math.max(retryAfterMs, verifyDelayMs),
      recovers: recovers ?? attempt,
      agent,
    });
}

function stop(draft: RunDraft, stepId: string): void {
  const data = { ...draft.ofAttempt(stepId), cause: 'lost' } as const;
  draft.append({ type: 'StepAttemptTimedOut', data });
  settleCancel(draft);
}

/** Unless its failure is stored, the attempt may still report until the person has answered: see `mayReport`. */
function ask(draft: RunDraft, stepId: string): void {
  const { attempt } = draft.step(stepId);
  const { path, ...visit } = draft.ofVisit(stepId);
  const message = `Attempt ${attempt} of ${path} may or may not have taken effect. Retry it, skip the step, state its output, or fail it?`;
  const approvalId = `${approvalIdOf(draft, stepId)}~${attempt}`;
  draft.append({
    type: 'ApprovalRequested',
    data: { ...visit, path, attempt, approvalId, message, authors: [] },
  });
}

function recoveryAfter(draft: RunDraft, { stepId, usual, isUndelivered }: LoseAttempt): Recovery {
  if (isUndelivered) return { kind: 'replay_safe' };
  return recoveryOf(draft, stepId) ?? { kind: usual };
}

function recoveryOf(draft: RunDraft, stepId: string): Recovery | undefined {
  const step = draft.definitionOf(stepId);
  return step.type === 'agent' ? step.attempts.recovery : undefined;
}
