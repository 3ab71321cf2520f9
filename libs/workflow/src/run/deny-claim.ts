import { reachedDuration } from './guards.js';
import { requireClaimable, requireRunning } from './attempts.js';
import { verifyAgain } from './doubt.js';
import { failRun } from './end-run.js';
import { type DenyClaim } from './happening.js';
import { failVisit } from './routing.js';
import { type RunDraft } from './run-draft.js';

/**
 * For so long an attempt is left to workers who see what its step names: those who wait look for work about once a second, in every
 * process.
 */
export const leftToOthersMs = 3_000;

export const hiddenInputCode = 'hidden-input';

/**
 * An attempt that is claimed by somebody who does not see what its step names fails before it starts, unless it has just become
 * claimable. What is hidden is said only where the interpreter's conclusions are shown.
 */
export function denyClaim(draft: RunDraft, denied: DenyClaim): void {
  const { stepId, hidden, by } = denied;
  requireRunning(draft);
  requireClaimable(draft, denied);
  const { dueAt, verify } = draft.step(stepId);
  if (dueAt !== null && draft.given.now < Date.parse(dueAt) + leftToOthersMs) return;
  const reached = reachedDuration(draft);
  if (reached) {
    failRun(draft, reached);
    return;
  }
  const failure = {
    reason: 'whoever claimed it may not see everything that its step needs',
    ...{ code: hiddenInputCode, retryable: false },
  };
  draft.append({ type: 'StepAttemptFailed', data: { ...draft.ofAttempt(stepId), ...failure } });
  if (verify) verifyAgain(draft, stepId, failure);
  else failVisit(draft, stepId, `its input "${hidden}" is hidden from "${by}", which claimed it`);
}
