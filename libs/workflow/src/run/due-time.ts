import { type RunFacts, type StepFacts, isActiveRun, runDueAt } from '#shared-context';

import { type RunDraft } from './run-draft.js';

/**
 * When time alone changes a run next: a deadline, an expiry, the limit of its duration, or the end of a cancellation. Times at which
 * attempts may start do not count, since workers claim these.
 */
export function dueTimeOf(draft: RunDraft): string | null {
  const { run } = draft;
  if (!isActiveRun(run)) return null;
  const ofSteps = run.active.flatMap((stepId) => stepTimes(draft.step(stepId), run));
  const times = [...ofSteps, ...only(runDueAt(run))];
  return times.toSorted((left, right) => Date.parse(left) - Date.parse(right))[0] ?? null;
}

function stepTimes(step: StepFacts, { status: run }: RunFacts): readonly string[] {
  if (step.status === 'running') return only(step.deadline);
  if (run !== 'running') return [];
  return step.status === 'scheduled' && step.agent === null ? only(step.dueAt) : [];
}

function only(time: string | null | undefined): readonly string[] {
  return time === null || time === undefined ? [] : [time];
}
