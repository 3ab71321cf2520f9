import { type Guard, activeMsAt } from '#shared-context';

import { type RunDraft } from './run-draft.js';

/** The most events of a run; some of them are reserved for its end. */
export const maxRunEvents = 50_000;

/** What ending a run may take at most: a few events, and one or two for each open visit. */
function reserved({ run: { active } }: RunDraft): number {
  return 64 + 4 * active.length;
}

/** The limit that a run has reached, so that nothing more may be scheduled. */
type ReachedGuard = Readonly<{ guard: Guard; reason: string }>;

export function reachedGuard(draft: RunDraft): ReachedGuard | undefined {
  return reachedDuration(draft) ?? reachedIterations(draft) ?? reachedErrors(draft) ?? full(draft);
}

/** The time in which it waits for people alone does not count. */
export function reachedDuration({ run, at }: RunDraft): ReachedGuard | undefined {
  const { maxDurationMs: most } = run;
  const elapsed = activeMsAt(run, at);
  if (elapsed < most) return undefined;
  const reason = `the run exceeded max duration: ${most} ms, with ${elapsed} ms elapsed`;
  return { guard: 'duration', reason: `${reason}: break it into smaller workflows` };
}

function reachedIterations({ run, workflow }: RunDraft): ReachedGuard | undefined {
  const { maxIterations: most } = workflow;
  if (run.iterations < most) return undefined;
  const reason = `the run exceeded max iterations: ${most}`;
  return { guard: 'iterations', reason: `${reason}: check its routes for a loop without an end` };
}

function reachedErrors({ run, workflow }: RunDraft): ReachedGuard | undefined {
  const { maxErrors: most } = workflow;
  if (run.errors < most) return undefined;
  return { guard: 'errors', reason: `the run exceeded max errors: ${most} that nothing handled` };
}

/** Also attempts of one step use events up. */
export function full(draft: RunDraft): ReachedGuard | undefined {
  if (draft.run.events + reserved(draft) < maxRunEvents) return undefined;
  return { guard: 'events', reason: `the run exceeded max events: ${maxRunEvents}` };
}
