import { type StepFacts } from '#shared-context';

import { type AttemptId } from './happening.js';

/** Whether an attempt is the newest one of its step. */
export function isCurrent(step: StepFacts, { visit, attempt }: AttemptId): boolean {
  return step.visit === visit && step.attempt === attempt;
}
