import { type JsonValue, utf8Length } from '#event-sourcing';
import {
  OutputRefusedError,
  RuleViolationError,
  RunConflictError,
  StaleAttemptError,
  type StepFacts,
  findRunStep,
  isActiveRun,
} from '#shared-context';

import { failRun, settleCancel, withdrawApproval } from './end-run.js';
import { reachedDuration } from './guards.js';
import {
  type AttemptId,
  type ClaimAttempt,
  type CompleteAttempt,
  type FailAttempt,
} from './run-command.js';
import { isCurrent, mayReport } from './current-attempt.js';
import { verifyAgain } from './doubt.js';
import { afterFailure, scheduleAttempt } from './retry.js';
import { leave } from './routing.js';
import { type RunDraft, isPast, maxReportedBytes, timeOf } from './run-draft.js';
import { verification } from './verification.js';

/** Starts an attempt and its timeout. If the run has exceeded its duration, the run fails instead. */
export function claimAttempt(draft: RunDraft, claim: ClaimAttempt): void {
  const { stepId, tokenHash, effectKey, receipt, worker } = claim;
  const step = draft.step(stepId);
  if (isCurrent(step, claim) && step.status === 'running' && step.tokenHash === tokenHash) return;
  requireRunning(draft);
  requireClaimable(draft, claim);
  const reached = reachedDuration(draft);
  if (reached) {
    failRun(draft, reached);
    return;
  }
  const deadline = timeOf(draft.circumstances.now + timeoutOf(draft, stepId));
  const given = receipt === undefined ? {} : { receipt };
  const data = { ...draft.attemptFields(stepId), tokenHash, effectKey, deadline, ...given };
  draft.append({ type: 'StepAttemptStarted', data }, worker);
}

export function completeAttempt(draft: RunDraft, report: CompleteAttempt): void {
  const { stepId, output, worker, faults = [] } = report;
  requireOwned(draft, report);
  requireRoom(output);
  if (faults.length > 0) throw new OutputRefusedError(faults);
  const step = draft.step(stepId);
  const verified = step.verify ? verification(output) : { tookEffect: true, output };
  if (!verified.tookEffect) {
    repeatStep(draft, report);
    return;
  }
  withdrawApproval(draft, stepId);
  const { path, visit } = draft.visitFields(stepId);
  const run = { ...draft.runFields, path, visit, attempt: step.attempt };
  draft.append({ type: 'StepOutputAdded', data: { stepId, output: verified.output, run } }, worker);
  if (draft.run.status === 'cancelling') settleCancel(draft);
  else leave(draft, stepId, { outcome: 'completed', route: nextOf(draft, stepId) });
}

export function failAttempt(draft: RunDraft, report: FailAttempt): void {
  const { stepId, reason, code, retryable, output, worker } = report;
  requireOwned(draft, report);
  requireRoom(output);
  withdrawApproval(draft, stepId);
  const data = { ...draft.attemptFields(stepId), reason, retryable };
  const more = { ...(code !== undefined && { code }), ...(output !== undefined && { output }) };
  draft.append({ type: 'StepAttemptFailed', data: { ...data, ...more } }, worker);
  if (draft.step(stepId).verify) verifyAgain(draft, stepId, report);
  else afterFailure(draft, stepId, report);
}

/** The attempt in doubt had no effect: the step is executed again. */
function repeatStep(draft: RunDraft, { stepId, worker }: CompleteAttempt): void {
  const reason = 'the attempt before had no effect';
  const data = { ...draft.attemptFields(stepId), reason, code: 'no-effect', retryable: true };
  draft.append({ type: 'StepAttemptFailed', data }, worker);
  if (draft.run.status === 'cancelling') settleCancel(draft);
  else scheduleAttempt(draft, stepId, { delayMs: 0 });
}

/** Limits the output, since the conclusions are stored in the same append. */
function requireRoom(output: JsonValue | undefined): void {
  if (output === undefined || utf8Length(JSON.stringify(output)) <= maxReportedBytes) return;
  throw new RuleViolationError(
    '/output',
    `has more than ${maxReportedBytes / 1_024} KiB: store it elsewhere, and report where`,
  );
}

/**
 * Rejects reports for an ended run, an earlier epoch or another token, and reports after the deadline. While a
 * person has to answer for an attempt without a report, the attempt may still report.
 */
function requireOwned(draft: RunDraft, report: AttemptId & Readonly<{ tokenHash: string }>): void {
  const { run, circumstances } = draft;
  const step = findRunStep(report.stepId, draft.lookup);
  if (!step || !mayReport(step, report) || !isActiveRun(run)) throw new StaleAttemptError();
  const fault =
    run.epoch === circumstances.epoch
      ? lateness(draft, step)
      : 'the run was restored or imported since it was started';
  if (fault !== undefined) throw new StaleAttemptError(`${fault}: drop the result of the attempt`);
}

function lateness(draft: RunDraft, { status, deadline }: StepFacts): string | undefined {
  const isLate = status === 'running' && isPast(draft, deadline);
  return isLate ? `its deadline has passed, ${deadline}` : undefined;
}

export function requireClaimable(draft: RunDraft, claim: AttemptId): void {
  const { status, agent, dueAt, path } = draft.step(claim.stepId);
  if (!isCurrent(draft.step(claim.stepId), claim) || status !== 'scheduled' || agent === null)
    throw new StaleAttemptError();
  if (dueAt !== null && Date.parse(dueAt) > draft.circumstances.now)
    throw new RunConflictError(`attempt ${claim.attempt} of ${path} is due at ${dueAt}`);
}

export function requireRunning(draft: RunDraft): void {
  const { run } = draft;
  if (run.status !== 'running')
    throw new RunConflictError(`run "${run.runId}" is ${run.status}: no attempt can start`);
  requireEpoch(draft);
}

export function requireEpoch({ run, circumstances }: RunDraft): void {
  if (run.epoch === circumstances.epoch) return;
  throw new RunConflictError(
    `run "${run.runId}" was restored or imported, and its progress elsewhere is unknown: resume it to continue it here`,
  );
}

function timeoutOf(draft: RunDraft, stepId: string): number {
  const step = draft.definitionOf(stepId);
  if (step.type !== 'agent') throw new StaleAttemptError();
  return step.attempts.timeoutMs;
}

function nextOf(draft: RunDraft, stepId: string) {
  return draft.definitionOf(stepId).next;
}
