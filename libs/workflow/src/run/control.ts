import { type CancelRun, type PauseRun, type ResumeRun, type StartRun } from './happening.js';
import { PersonNeededError, RunConflictError, findRun, isActiveRun } from '#shared-context';

import { loseAttempt } from './doubt.js';
import { endCancelled, settleCancel, withdrawApprovals } from './end-run.js';
import { openBranches } from './join.js';
import { type RunDraft, timeOf } from './run-draft.js';
import { maxRunEvents } from './guards.js';

/** The version of the rules that runs follow. A run records the version that it was started under. */
export const interpreterVersion = 1;

export function startRun(draft: RunDraft, { definition, input, by }: StartRun): void {
  const before = findRun(draft.lookup);
  if (before?.runId === draft.given.runId) return;
  if (isActiveRun(before))
    throw new RunConflictError(
      `run "${before.runId}" is ${before.status} in this context: wait for its end, or cancel it`,
    );
  const { epoch } = draft.given;
  const { steps, maxDurationMs } = draft.workflow;
  const rules = { definition, interpreter: interpreterVersion, epoch, maxDurationMs };
  const data = { ...draft.ofRun, ...rules, steps: Object.keys(steps), input };
  draft.append({ type: 'RunStarted', data }, { principal: by });
  openBranches(draft, undefined);
}

/** No attempt starts until the run is resumed; running attempts go on, and their results are stored. */
export function pauseRun(draft: RunDraft, { reason, by }: PauseRun): void {
  const { run } = draft;
  if (run.status === 'paused') return;
  requireStatus(draft, 'running', 'paused');
  requireRoom(draft);
  const data = { ...draft.ofRun, ...(reason !== undefined && { reason }) };
  draft.append({ type: 'RunPaused', data }, { principal: by });
}

/**
 * Also moves a run into the current epoch of the store. Nobody knows how its attempts have ended in another store, so all of them are
 * lost.
 */
export function resumeRun(draft: RunDraft, { by, isPerson, usual }: ResumeRun): void {
  const { run, given } = draft;
  const isBehind = run.epoch !== given.epoch;
  if (run.status === 'running' && !isBehind) return;
  if (run.status !== 'running') requireStatus(draft, 'paused', 'resumed');
  requireRoom(draft);
  if (isBehind && !isPerson) throw new PersonNeededError(run.runId);
  const data = { ...draft.ofRun, epoch: given.epoch };
  draft.append({ type: 'RunResumed', data }, { principal: by });
  if (isBehind) loseAttempts(draft, usual);
}

function loseAttempts(draft: RunDraft, usual: ResumeRun['usual']): void {
  for (const stepId of draft.run.active) {
    const { visit, attempt, agent } = draft.step(stepId);
    const recovery = (agent === null ? undefined : usual[agent]) ?? 'ask';
    if (draft.goesOn) loseAttempt(draft, { type: 'lose', stepId, visit, attempt, usual: recovery });
  }
}

/**
 * Withdraws open approvals. The run is cancelled once no attempt runs, or at the deadline; with a grace of 0 it is cancelled at once, also
 * if it was being cancelled before. Needs no definition, so that every run can be cancelled.
 */
export function cancelRun(draft: RunDraft, { reason, graceMs, by }: CancelRun): void {
  const { run } = draft;
  if (run.status === 'cancelled') return;
  if (!isActiveRun(run)) throw refusal(draft, 'cancelled');
  const deadline = timeOf(draft.given.now + graceMs);
  // Cancelling a run again may only shorten the time that is left.
  if (run.status === 'cancelling' && deadline >= (run.cancelDeadline ?? '')) return;
  const data = { ...draft.ofRun, deadline, ...(reason !== undefined && { reason }) };
  draft.append({ type: 'RunCancelRequested', data }, { principal: by });
  withdrawApprovals(draft);
  if (graceMs === 0) endCancelled(draft);
  else settleCancel(draft);
}

function requireStatus(draft: RunDraft, status: string, wanted: string): void {
  if (draft.run.status !== status) throw refusal(draft, wanted);
}

/** Refuses to pause and resume a run so often that no events are left for its end. */
function requireRoom({ run }: RunDraft): void {
  if (run.events + 2_048 >= maxRunEvents)
    throw new RunConflictError(
      `run "${run.runId}" has nearly as many events as a run may have: cancel it, or let it end`,
    );
}

function refusal({ run }: RunDraft, wanted: string): RunConflictError {
  return new RunConflictError(`run "${run.runId}" is ${run.status}: it cannot be ${wanted}`);
}
