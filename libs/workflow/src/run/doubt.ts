import { isActiveRun } from '#shared-context';

import { type Recovery } from '../definition/compiled-parts.js';
import { isCurrent } from './current-attempt.js';
import { settleCancel } from './end-run.js';
import { type LoseAttempt } from './run-command.js';
import { approvalIdOf } from './perform.js';
import { maxLost, scheduleAttempt } from './retry.js';
import { failVisit } from './routing.js';
import { type RunDraft } from './run-draft.js';

/**
 * After this many failed verifications of a visit, a person has to answer; `verifyDelayMs` is the minimum time between
 * two verifications.
 */
const maxVerifications = 5;
const verifyDelayMs = 1_000;

/**
 * Handles the loss of the worker: by the recovery of the step, the attempt is repeated or verified, or a person has
 * to answer.
 */
export function loseAttempt(draft: RunDraft, lost: LoseAttempt): void {
  const { stepId } = lost;
  const { run, circumstances } = draft;
  const step = draft.step(stepId);
  const isRunning = isCurrent(step, lost) && step.status === 'running';
  if (!isRunning || !isActiveRun(run) || run.epoch !== circumstances.epoch) return;
  if (run.status === 'cancelling') {
    stop(draft, stepId);
    return;
  }
  const recovery = recoveryAfter(draft, lost);
  if (recovery.kind === 'ask') ask(draft, stepId);
  else repeat(draft, stepId, recovery);
}

/**
 * Handles an attempt without a report at its deadline, which may have taken effect. If the step itself defines a
 * recovery that verifies or asks, starts it and returns true. Otherwise the attempt has failed, and the retries of the
 * step apply.
 */
export function recoverAfterDeadline(draft: RunDraft, stepId: string): boolean {
  if (draft.run.status === 'cancelling') return false;
  const recovery = recoveryOf(draft, stepId);
  if (recovery?.kind === 'ask') ask(draft, stepId);
  else if (recovery?.kind === 'verify') repeat(draft, stepId, recovery);
  else return false;
  return true;
}

/** Schedules an attempt that repeats the attempt in doubt, or that verifies whether it took effect. */
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
 * Handles a failed verification: it is repeated, and after too many failures a person has to answer. Until then the step is
 * not executed again.
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
  const data = { ...draft.attemptFields(stepId), cause: 'lost' } as const;
  draft.append({ type: 'StepAttemptTimedOut', data });
  settleCancel(draft);
}

/** Without a stored failure, the attempt may still report until a person has answered: see `mayReport`. */
function ask(draft: RunDraft, stepId: string): void {
  const { attempt } = draft.step(stepId);
  const { path, ...visit } = draft.visitFields(stepId);
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
