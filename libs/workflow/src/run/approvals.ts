import {
  ApprovalAnsweredError,
  type ApprovalDecision,
  type Author,
  NotFoundError,
  OwnWorkError,
  RuleViolationError,
  RunConflictError,
  isSameAgent,
} from '#shared-context';

import { requireEpoch } from './attempts.js';
import { authorsBefore } from './authors.js';
import { type AnswerDoubt, type DecideApproval, type Decider } from './run-command.js';
import { scheduleAttempt } from './retry.js';
import { failVisit, leave } from './routing.js';
import { type RunDraft, isPast } from './run-draft.js';

/** Exactly one decision is accepted; a repetition by the same person stores nothing. */
export function decideApproval(draft: RunDraft, verdict: DecideApproval): void {
  const { decision, comment, by } = verdict;
  const stepId = openApproval(draft, verdict, decision);
  if (stepId === undefined) return;
  const { approval } = draft.step(stepId);
  if (approval?.attempt !== null)
    throw new RuleViolationError('', 'is about an attempt in doubt: answer it instead');
  if (isPast(draft, approval.expiresAt))
    throw new ApprovalAnsweredError(approval.approvalId, 'expired');
  const authors = [...approval.authors, ...authorsBefore(draft, stepId)];
  if (authors.some((author) => isOwnWork(author, by))) throw new OwnWorkError(approval.approvalId);
  append(draft, stepId, { decision, comment, by });
  settleDecision(draft, stepId, decision);
}

/** Whether the person, or an agent that they may act for, is the author. */
function isOwnWork({ principal, agent }: Author, by: Decider): boolean {
  const own = [by.principal, ...by.agents];
  return own.some((name) => isSameAgent(name, principal) || isSameAgent(name, agent ?? principal));
}

/** Stores the answer of a person about an attempt in doubt. */
export function answerDoubt(draft: RunDraft, answer: AnswerDoubt): void {
  const { action, comment, by } = answer;
  const stepId = openApproval(draft, answer, action);
  if (stepId === undefined) return;
  if (draft.step(stepId).approval?.attempt === null)
    throw new RuleViolationError('/action', 'is for attempts in doubt: approve or reject this one');
  if (action === 'output' && answer.output === undefined)
    throw new RuleViolationError('/output', 'is required with this action');
  append(draft, stepId, { decision: action, comment, by });
  settlements[action](draft, stepId, answer);
}

const settlements: Readonly<
  Record<AnswerDoubt['action'], (draft: RunDraft, stepId: string, answer: AnswerDoubt) => void>
> = {
  retry: (draft, stepId) =>
    scheduleAttempt(draft, stepId, { delayMs: 0, recovers: draft.step(stepId).attempt }),
  skip: (draft, stepId) =>
    leave(draft, stepId, { outcome: 'skipped', route: draft.definitionOf(stepId).bypass }),
  output: (draft, stepId, { output = null, by }) => {
    const { path, visit, attempt } = draft.attemptFields(stepId);
    const run = { ...draft.runFields, path, visit, attempt };
    draft.append({ type: 'StepOutputAdded', data: { stepId, output, run } }, authorOf(by));
    leave(draft, stepId, { outcome: 'completed', route: draft.definitionOf(stepId).next });
  },
  fail: (draft, stepId, { comment: reason = 'a person decided that it failed', by }) => {
    const data = { ...draft.attemptFields(stepId), reason, code: 'doubt', retryable: false };
    draft.append({ type: 'StepAttemptFailed', data }, authorOf(by));
    failVisit(draft, stepId, reason);
  },
};

/** Applies the default of an approval that has expired. */
export function expireApproval(draft: RunDraft, stepId: string): void {
  const byDefault = draft.step(stepId).approval?.byDefault ?? 'fail';
  if (byDefault === 'fail') {
    append(draft, stepId, { decision: 'expired' });
    // prose-ignore: stored in events
    failVisit(draft, stepId, 'nobody decided in time');
    return;
  }
  const decision = byDefault === 'approve' ? 'approved' : 'rejected';
  append(draft, stepId, { decision, expired: true });
  settleDecision(draft, stepId, decision);
}

function settleDecision(draft: RunDraft, stepId: string, outcome: 'approved' | 'rejected'): void {
  const step = draft.definitionOf(stepId);
  if (step.type !== 'approval') throw new TypeError(`step "${stepId}" is not an approval`);
  leave(draft, stepId, {
    outcome,
    route: outcome === 'approved' ? step.onApprove : step.onReject,
  });
}

type DecisionFields = Readonly<{
  decision: ApprovalDecision;
  comment?: string | undefined;
  by?: Decider;
  expired?: true;
}>;

function append(draft: RunDraft, stepId: string, { by, comment, ...stated }: DecisionFields): void {
  const { approval } = draft.step(stepId);
  if (!approval) throw new RunConflictError(`step "${stepId}" does not wait for a decision`);
  const { approvalId, attempt } = approval;
  const data = {
    ...draft.visitFields(stepId),
    approvalId,
    ...stated,
    ...(attempt !== null && { attempt }),
    ...(comment !== undefined && { comment }),
  };
  draft.append({ type: 'ApprovalDecided', data }, by && authorOf(by));
}

/** The step that waits for this decision; undefined if the same person has already made the same decision. */
function openApproval(
  draft: RunDraft,
  { approvalId, by }: Readonly<{ approvalId: string; by: Decider }>,
  decision: ApprovalDecision,
): string | undefined {
  const steps = Object.keys(draft.workflow.steps);
  const open = steps.find((stepId) => draft.step(stepId).approval?.approvalId === approvalId);
  if (open !== undefined) {
    if (!draft.canContinue)
      throw new RunConflictError(`run "${draft.run.runId}" is ${draft.run.status}`);
    requireEpoch(draft);
    return open;
  }
  const decided = steps
    .map((stepId) => draft.step(stepId).decided)
    .find((each) => each?.approvalId === approvalId);
  if (decided?.decision === decision && decided.by.principal === by.principal) return undefined;
  if (decided) throw new ApprovalAnsweredError(approvalId, decided.decision);
  if (wasRequested(draft, approvalId)) throw new ApprovalAnsweredError(approvalId, 'decided');
  throw new NotFoundError('approval', approvalId);
}

function authorOf({ principal }: Decider): Author {
  return { principal };
}

/** Whether an id belongs to an earlier visit or attempt, whose approvals are no longer part of the state. */
function wasRequested(draft: RunDraft, approvalId: string): boolean {
  const [runId, stepId = '', visit, attempt] = approvalId.split('~');
  if (runId !== draft.run.runId || !Object.hasOwn(draft.workflow.steps, stepId)) return false;
  const { visit: newest } = draft.step(stepId);
  const nth = Number(visit);
  return Number.isInteger(nth) && nth >= 1 && (nth < newest || attempt !== undefined);
}
