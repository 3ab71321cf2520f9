import { reachedDuration } from './guards.js';
import { requireClaimable, requireRunning } from './attempts.js';
import { verifyAgain } from './doubt.js';
import { failRun } from './end-run.js';
import { type DenyClaim } from './happening.js';
import { failVisit } from './routing.js';
import { type RunDraft } from './run-draft.js';

/**
 * An attempt that is claimed by somebody who does not see what its step names fails before it starts. What is hidden is said only where the
 * interpreter's conclusions are shown.
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
    reason: 'whoever claimed it may not see everything that its step needs',
    ...{ code: 'hidden-input', retryable: false },
  };
  draft.append({ type: 'StepAttemptFailed', data: { ...draft.ofAttempt(stepId), ...failure } });
  if (draft.step(stepId).verify) verifyAgain(draft, stepId, failure);
  else failVisit(draft, stepId, `its input "${hidden}" is hidden from "${by}", which claimed it`);
}
