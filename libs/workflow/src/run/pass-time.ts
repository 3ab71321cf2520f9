import { isActiveRun } from '#shared-context';

import { expireApproval } from './approvals.js';
import { recoverAfterDeadline, verifyAgain } from './doubt.js';
import { endCancelled, failRun } from './end-run.js';
import { reachedDuration } from './guards.js';
import { afterFailure } from './retry.js';
import { type RunDraft, isPast } from './run-draft.js';
import { settle } from './settle.js';

/** Applies deadlines, expiries and the limit of duration. Does not change a run of another epoch. */
export function passTime(draft: RunDraft): void {
  const { run, circumstances } = draft;
  if (!isActiveRun(run)) return;
  if (run.status === 'cancelling') passCancelling(draft);
  else if (run.epoch === circumstances.epoch) passActive(draft);
}

function passActive(draft: RunDraft): void {
  const { run } = draft;
  const reached = run.status === 'running' ? reachedDuration(draft) : undefined;
  if (reached) {
    failRun(draft, reached);
    return;
  }
  for (const stepId of run.active) {
    // The next append continues with steps that do not fit into this one.
    if (draft.canContinue && !draft.isFull) passStep(draft, stepId);
    settle(draft);
  }
}

function passCancelling(draft: RunDraft): void {
  const { run, circumstances } = draft;
  if (Date.parse(run.cancelDeadline ?? '') <= circumstances.now) {
    endCancelled(draft);
    return;
  }
  for (const stepId of run.active) if (draft.run.status === 'cancelling') timeOut(draft, stepId);
}

function passStep(draft: RunDraft, stepId: string): void {
  if (draft.step(stepId).status === 'running') timeOut(draft, stepId);
  else if (draft.run.status === 'running') proceed(draft, stepId);
}

/** A paused run neither continues a step nor lets an approval expire. */
function proceed(draft: RunDraft, stepId: string): void {
  const { status, agent, approval } = draft.step(stepId);
  if (status === 'scheduled' && agent === null) draft.tasks.push({ kind: 'proceed', stepId });
  else if (status === 'asking' && isPast(draft, approval?.expiresAt ?? null))
    expireApproval(draft, stepId);
}

function timeOut(draft: RunDraft, stepId: string): void {
  const { status, deadline } = draft.step(stepId);
  if (status !== 'running' || !isPast(draft, deadline)) return;
  if (recoverAfterDeadline(draft, stepId)) return;
  const data = { ...draft.attemptFields(stepId), cause: 'deadline' } as const;
  draft.append({ type: 'StepAttemptTimedOut', data });
  const reason = 'the attempt timed out';
  if (draft.step(stepId).verify) verifyAgain(draft, stepId, { retryable: true });
  else afterFailure(draft, stepId, { reason, code: 'timeout', retryable: true });
}
