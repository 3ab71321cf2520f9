import {
  type RunFacts,
  type StepFacts,
  activeMsAt,
  isActiveRun,
  isClockRunning,
} from '#shared-context';

import { type RunDraft, timeOf } from './run-draft.js';

/**
 * When time alone changes a run next: a deadline, an expiry, the limit of its duration, or the end of a cancellation. Attempts that may
 * start are for workers, and not among them.
 */
export function dueTimeOf(draft: RunDraft): string | null {
  const { run } = draft;
  if (!isActiveRun(run)) return null;
  const times = [...run.active.flatMap((stepId) => stepTimes(draft.step(stepId), run))];
  if (run.status === 'cancelling' && run.cancelDeadline !== null) times.push(run.cancelDeadline);
  if (isClockRunning(run)) times.push(endOfDuration(draft));
  return times.toSorted((left, right) => Date.parse(left) - Date.parse(right))[0] ?? null;
}

function stepTimes(step: StepFacts, { status: run }: RunFacts): readonly string[] {
  const { status, deadline, approval, agent, dueAt } = step;
  if (status === 'running') return deadline === null ? [] : [deadline];
  if (run !== 'running') return [];
  if (status === 'asking' && approval?.expiresAt) return [approval.expiresAt];
  return status === 'scheduled' && agent === null && dueAt !== null ? [dueAt] : [];
}

function endOfDuration({ run, workflow }: RunDraft): string {
  const left = workflow.maxDurationMs - activeMsAt(run, run.clockAt);
  return timeOf(Date.parse(run.clockAt) + Math.max(0, left));
}
