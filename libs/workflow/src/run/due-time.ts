import { type RunFacts, type StepFacts, isActiveRun, runDueAt } from '#shared-context';

import { type RunDraft } from './run-draft.js';

/**
 * The next time at which a run changes without any other input: a deadline, an expiry, the end of its duration, or the
 * end of a cancellation. Start times of attempts do not count, since workers claim these.
 */
export function dueTimeOf(draft: RunDraft): string | null {
  const { run } = draft;
  if (!isActiveRun(run)) return null;
  const ofSteps = run.active.flatMap((stepId) => stepTimes(draft.step(stepId), run));
  const times = [...ofSteps, ...definedTime(runDueAt(run))];
  return times.toSorted((left, right) => Date.parse(left) - Date.parse(right))[0] ?? null;
}

function stepTimes(step: StepFacts, { status: run }: RunFacts): readonly string[] {
  if (step.status === 'running') return definedTime(step.deadline);
  if (run !== 'running') return [];
  return step.status === 'scheduled' && step.agent === null ? definedTime(step.dueAt) : [];
}

function definedTime(time: string | null | undefined): readonly string[] {
  return time === null || time === undefined ? [] : [time];
}
