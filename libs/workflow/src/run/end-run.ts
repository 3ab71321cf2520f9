import { type Guard, isOpen } from '#shared-context';

import { evaluate } from './evaluate.js';
import { type RunDraft } from './run-draft.js';

/** Maximum UTF-16 units of a reason. */
const maxReason = 10_000;

/** The reason why a run fails, and the step that caused it. */
type RunFailure = Readonly<{
  reason: string;
  guard?: Guard;
  stepId?: string;
  attempts?: number;
}>;

/** Ends every visit and the run: later reports of attempts are rejected. */
export function failRun(draft: RunDraft, failure: RunFailure): void {
  cancelVisits(draft);
  const reason = shortened(failure.reason);
  draft.append({ type: 'RunFailed', data: { ...draft.runFields, ...failure, reason } });
}

/** `last`: the step that ended last, and the version of the event with its result. */
export function completeRun(
  draft: RunDraft,
  outcome: 'completed' | 'rejected',
  last: Readonly<{ stepId: string; version: number }> | null = draft.run.lastOutput,
): void {
  const { workflow } = draft;
  if (workflow.output === undefined || outcome === 'rejected') {
    const output = last ? { outputOf: last } : {};
    draft.append({ type: 'RunCompleted', data: { ...draft.runFields, outcome, ...output } });
    return;
  }
  const output = evaluate(workflow.output, draft, undefined);
  if ('fault' in output) failRun(draft, { reason: `the output of the run: ${output.fault}` });
  else
    draft.append({
      type: 'RunCompleted',
      data: { ...draft.runFields, outcome, output: output.value ?? null },
    });
}

/** Withdraws the open approvals of the run. */
export function withdrawApprovals(draft: RunDraft): void {
  for (const stepId of draft.run.active) withdrawApproval(draft, stepId);
}

export function withdrawApproval(draft: RunDraft, stepId: string): void {
  const { approval } = draft.step(stepId);
  if (!approval) return;
  const { approvalId, attempt } = approval;
  const about = { approvalId, ...(attempt !== null && { attempt }) };
  draft.append({
    type: 'ApprovalDecided',
    data: { ...draft.visitFields(stepId), ...about, decision: 'withdrawn' },
  });
}

/** Ends a run that is being cancelled if no attempt runs any more. */
export function settleCancel(draft: RunDraft): void {
  const { run } = draft;
  if (run.status !== 'cancelling') return;
  if (run.active.some((stepId) => draft.step(stepId).status === 'running')) return;
  endCancelled(draft);
}

/** A worker's reason may have the maximum length before text is added to it. */
function shortened(reason: string): string {
  return reason.length <= maxReason ? reason : `${reason.slice(0, maxReason - 1)}…`.toWellFormed();
}

export function endCancelled(draft: RunDraft): void {
  cancelVisits(draft);
  draft.append({ type: 'RunCancelled', data: draft.runFields });
}

function cancelVisits(draft: RunDraft): void {
  for (const stepId of draft.run.active) cancelVisit(draft, stepId);
}

/** Ends a visit whose result is not needed any more. */
export function cancelVisit(draft: RunDraft, stepId: string): void {
  if (!isOpen(draft.step(stepId))) return;
  withdrawApproval(draft, stepId);
  draft.append({
    type: 'StepRouted',
    data: { ...draft.visitFields(stepId), outcome: 'cancelled', to: null },
  });
}
