import { type Guard, activeMsAt } from '#shared-context';

import { type RunDraft } from './run-draft.js';

/** The maximum number of events of a run; some of them are reserved for its end. */
export const maxRunEvents = 50_000;

/** The maximum number of events that end a run: a few, and one or two for each open visit. */
function reserved({ run: { active } }: RunDraft): number {
  return 64 + 4 * active.length;
}

/** The limit that a run has reached, after which nothing may be scheduled. */
type ReachedGuard = Readonly<{ guard: Guard; reason: string }>;

export function reachedGuard(draft: RunDraft): ReachedGuard | undefined {
  return (
    reachedDuration(draft) ??
    reachedIterations(draft) ??
    reachedErrors(draft) ??
    reachedEvents(draft)
  );
}

/** Time in which the run waits only for people does not count. */
export function reachedDuration({ run, at }: RunDraft): ReachedGuard | undefined {
  const { maxDurationMs } = run;
  const elapsed = activeMsAt(run, at);
  if (elapsed < maxDurationMs) return undefined;
  const reason = `the run exceeded max duration: ${maxDurationMs} ms, with ${elapsed} ms elapsed`;
  return { guard: 'duration', reason: `${reason}: break it into smaller workflows` };
}

function reachedIterations({ run, workflow }: RunDraft): ReachedGuard | undefined {
  const { maxIterations } = workflow;
  if (run.iterations < maxIterations) return undefined;
  const reason = `the run exceeded max iterations: ${maxIterations}`;
  return { guard: 'iterations', reason: `${reason}: check its routes for a loop without an end` };
}

function reachedErrors({ run, workflow }: RunDraft): ReachedGuard | undefined {
  const { maxErrors } = workflow;
  if (run.errors < maxErrors) return undefined;
  return {
    guard: 'errors',
    reason: `the run exceeded max errors: ${maxErrors} that nothing handled`,
  };
}

/** Attempts of one step also use up events. */
export function reachedEvents(draft: RunDraft): ReachedGuard | undefined {
  if (draft.run.events + reserved(draft) < maxRunEvents) return undefined;
  return { guard: 'events', reason: `the run exceeded max events: ${maxRunEvents}` };
}
