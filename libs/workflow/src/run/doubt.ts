import { type Recovery } from '../definition/compiled-parts.js';
import { isCurrent } from './attempts.js';
import { settleCancel } from './end-run.js';
import { type LoseAttempt } from './happening.js';
import { approvalIdOf } from './perform.js';
import { mostLost, scheduleAttempt } from './retry.js';
import { failVisit } from './routing.js';
import { type RunDraft } from './run-draft.js';

/** Whoever carried out the attempt is gone: the step's recovery says whether it is repeated, verified, or a person is asked. */
export function loseAttempt(draft: RunDraft, lost: LoseAttempt): void {
  const { stepId, usual } = lost;
  const step = draft.step(stepId);
  if (draft.run.epoch !== draft.given.epoch) return;
  if (!isCurrent(step, lost) || step.status !== 'running' || !draft.goesOn) {
    if (draft.run.status === 'cancelling' && step.status === 'running') stop(draft, stepId);
    return;
  }
  const recovery = recoveryOf(draft, stepId) ?? { kind: usual };
  if (recovery.kind === 'ask' && !step.verify) {
    ask(draft, stepId);
    return;
  }
  stop(draft, stepId);
  if (draft.step(stepId).lost > mostLost)
    failVisit(draft, stepId, `whoever carried it out was lost ${mostLost + 1} times`);
  else {
    const recovers = step.recovers ?? step.attempt;
    const agent = recovery.kind === 'verify' ? { agent: recovery.agent } : {};
    scheduleAttempt(draft, stepId, { delayMs: 0, recovers, ...agent });
  }
}

function stop(draft: RunDraft, stepId: string): void {
  const data = { ...draft.ofAttempt(stepId), cause: 'lost' } as const;
  draft.append({ type: 'StepAttemptTimedOut', data });
  settleCancel(draft);
}

/** The attempt may still report until the person has answered. */
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

function recoveryOf(draft: RunDraft, stepId: string): Recovery | undefined {
  const step = draft.definitionOf(stepId);
  return step.type === 'agent' ? step.attempts.recovery : undefined;
}
