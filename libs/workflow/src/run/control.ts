import { type CancelRun, type PauseRun, type ResumeRun, type StartRun } from './run-command.js';
import { PersonNeededError, RunConflictError, findRun, isActiveRun } from '#shared-context';

import { loseAttempt } from './doubt.js';
import { endCancelled, settleCancel, withdrawApprovals } from './end-run.js';
import { openBranches } from './join.js';
import { type RunDraft, timeOf } from './run-draft.js';
import { maxRunEvents } from './guards.js';

/** The version of the rules of the interpreter. A run records the version under which it was started. */
export const interpreterVersion = 1;

export function startRun(draft: RunDraft, { definition, input, by }: StartRun): void {
  const before = findRun(draft.lookup);
  if (before?.runId === draft.circumstances.runId) return;
  if (isActiveRun(before))
    throw new RunConflictError(
      `run "${before.runId}" is ${before.status} in this context: wait for its end, or cancel it`,
    );
  const { epoch } = draft.circumstances;
  const { steps, maxDurationMs } = draft.workflow;
  const rules = { definition, interpreter: interpreterVersion, epoch, maxDurationMs };
  const data = { ...draft.runFields, ...rules, steps: Object.keys(steps), input };
  draft.append({ type: 'RunStarted', data }, { principal: by });
  openBranches(draft, undefined);
}

/** Starts no more attempts until the run is resumed; running attempts continue, and their results are stored. */
export function pauseRun(draft: RunDraft, { reason, by }: PauseRun): void {
  const { run } = draft;
  if (run.status === 'paused') return;
  requireStatus(draft, 'running', 'paused');
  requireRoom(draft);
  const data = { ...draft.runFields, ...(reason !== undefined && { reason }) };
  draft.append({ type: 'RunPaused', data }, { principal: by });
}

/**
 * Also moves a run into the current epoch of the store. The outcome of its attempts in another store is unknown, so
 * that all of them count as lost.
 */
export function resumeRun(draft: RunDraft, { by, isPerson, usual }: ResumeRun): void {
  const { run, circumstances } = draft;
  const isOtherEpoch = run.epoch !== circumstances.epoch;
  if (run.status === 'running' && !isOtherEpoch) return;
  if (run.status !== 'running') requireStatus(draft, 'paused', 'resumed');
  requireRoom(draft);
  if (isOtherEpoch && !isPerson) throw new PersonNeededError(run.runId);
  const data = { ...draft.runFields, epoch: circumstances.epoch };
  draft.append({ type: 'RunResumed', data }, { principal: by });
  if (isOtherEpoch) loseAttempts(draft, usual);
}

function loseAttempts(draft: RunDraft, usual: ResumeRun['usual']): void {
  for (const stepId of draft.run.active) {
    const { visit, attempt, agent } = draft.step(stepId);
    const recovery = (agent === null ? undefined : usual[agent]) ?? 'ask';
    if (draft.canContinue)
      loseAttempt(draft, { type: 'lose', stepId, visit, attempt, usual: recovery });
  }
}

/**
 * Withdraws open approvals. The run is cancelled when no attempt runs any more, or at the deadline; with a grace period
 * of 0 at once, even if it was being cancelled before. Needs no definition, so that every run can be cancelled.
 */
export function cancelRun(draft: RunDraft, { reason, graceMs, by }: CancelRun): void {
  const { run } = draft;
  if (run.status === 'cancelled') return;
  if (!isActiveRun(run)) throw refusal(draft, 'cancelled');
  const deadline = timeOf(draft.circumstances.now + graceMs);
  // Cancelling again may only shorten the remaining time.
  if (run.status === 'cancelling' && deadline >= (run.cancelDeadline ?? '')) return;
  const data = { ...draft.runFields, deadline, ...(reason !== undefined && { reason }) };
  draft.append({ type: 'RunCancelRequested', data }, { principal: by });
  withdrawApprovals(draft);
  if (graceMs === 0) endCancelled(draft);
  else settleCancel(draft);
}

function requireStatus(draft: RunDraft, status: string, requested: string): void {
  if (draft.run.status !== status) throw refusal(draft, requested);
}

/** Refuses to pause or resume a run so often that the events for its end could not be stored. */
function requireRoom({ run }: RunDraft): void {
  if (run.events + 2_048 >= maxRunEvents)
    throw new RunConflictError(
      `run "${run.runId}" has nearly reached the limit of events: cancel it, or let it end`,
    );
}

function refusal({ run }: RunDraft, requested: string): RunConflictError {
  return new RunConflictError(`run "${run.runId}" is ${run.status}: it cannot be ${requested}`);
}
