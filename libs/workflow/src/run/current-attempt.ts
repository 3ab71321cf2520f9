import { type StepFacts } from '#shared-context';

import { type AttemptId } from './run-command.js';

/** Whether an attempt is the newest one of its step. */
export function isCurrent(step: StepFacts, { visit, attempt }: AttemptId): boolean {
  return step.visit === visit && step.attempt === attempt;
}

/**
 * Whether the holder of a token may still report an attempt: it is the newest attempt, it was started with this token,
 * and its end is not stored. An attempt with a stored failure has ended, even while a person has to answer for it.
 */
export function mayReport(
  step: StepFacts,
  { tokenHash, ...id }: AttemptId & Readonly<{ tokenHash: string }>,
): boolean {
  const isOpen = step.status === 'running' || (step.status === 'doubt' && !hasFailed(step));
  return isOpen && isCurrent(step, id) && step.tokenHash === tokenHash;
}

/** Whether the newest attempt of a step has failed, timed out or lost its worker. */
function hasFailed({ failure, attempt }: StepFacts): boolean {
  return failure?.attempts === attempt;
}
