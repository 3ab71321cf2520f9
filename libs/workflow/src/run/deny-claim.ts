import { reachedDuration } from './guards.js';
import { requireClaimable, requireRunning } from './attempts.js';
import { verifyAgain } from './doubt.js';
import { failRun } from './end-run.js';
import { type DenyClaim } from './run-command.js';
import { failVisit } from './routing.js';
import { type RunDraft } from './run-draft.js';

/**
 * Fails an attempt before its start, because an input of its step is hidden from the key that claims it. Only
 * conclusions of the interpreter name the hidden input, since they are visible only to audiences that may know it.
 */
export function denyClaim(draft: RunDraft, denied: DenyClaim): void {
  const { stepId, hidden, by } = denied;
  requireRunning(draft);
  requireClaimable(draft, denied);
  const reached = reachedDuration(draft);
  if (reached) {
    failRun(draft, reached);
    return;
  }
  const failure = {
    reason: 'the worker that claimed it may not see everything that its step needs',
    code: 'hidden-input',
    retryable: false,
  };
  draft.append({ type: 'StepAttemptFailed', data: { ...draft.attemptFields(stepId), ...failure } });
  if (draft.step(stepId).verify) verifyAgain(draft, stepId, failure);
  else failVisit(draft, stepId, `its input "${hidden}" is hidden from "${by}", which claimed it`);
}
