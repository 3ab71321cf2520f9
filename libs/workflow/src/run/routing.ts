import { type StepOutcome, routeName } from '#shared-context';

import { type Route } from '../definition/compiled-parts.js';
import { failRun } from './end-run.js';
import { type RunDraft } from './run-draft.js';

/** How a visit ends, and the route of the definition for that outcome. */
type Ending = Readonly<{
  outcome: StepOutcome;
  route: Route | undefined;
  holds?: boolean;
  handled?: true;
  reason?: string;
}>;

/** The step at which a run continues; null if there is none. `isLimited`: a limit without another route was reached. */
type Target = Readonly<{ to: string | null; isLimited: boolean }>;

/** Ends a visit and appends a task for the continuation. */
export function leave(draft: RunDraft, stepId: string, ending: Ending): void {
  const { route, ...how } = ending;
  const { to, isLimited } = findTarget(draft, stepId, ending);
  draft.append({ type: 'StepRouted', data: { ...draft.visitFields(stepId), ...how, to } });
  if (isLimited) {
    const reason = `from step "${stepId}" the run leads to "${route?.to}" more often than its limit of visits allows`;
    failRun(draft, { guard: 'visits', stepId, reason });
  } else if (to === null) draft.tasks.push({ kind: 'close', stepId });
  else draft.tasks.push({ kind: 'enter', stepId: to, from: stepId });
}

/** Handles a failed visit: by the definition, or the branch ends with it. */
export function failVisit(draft: RunDraft, stepId: string, reason: string): void {
  const { onError, isOptional, bypass } = draft.definitionOf(stepId);
  const failed = { outcome: 'failed', reason } as const;
  if (onError !== undefined && onError !== 'skip')
    leave(draft, stepId, { ...failed, handled: true, route: onError });
  else if (onError === 'skip' || isOptional)
    leave(draft, stepId, { ...failed, handled: true, route: bypass });
  else leave(draft, stepId, { ...failed, route: undefined });
}

/** The step of a route, or the step that limits of the route and of steps lead to instead. */
function findTarget(draft: RunDraft, stepId: string, { route, outcome, holds }: Ending): Target {
  if (!route) return { to: null, isLimited: false };
  const { to, maxVisits = Infinity, onLimit } = route;
  const taken = draft.step(stepId).routes[routeName({ outcome, holds, to })] ?? 0;
  return withinVisits(draft, taken < maxVisits ? to : onLimit);
}

/** The first step in the chain of limits that may be visited once more, beginning with the step itself. */
export function withinVisits(draft: RunDraft, first: string | undefined): Target {
  const tried = new Set<string>();
  let to = first;
  while (to !== undefined && !tried.has(to)) {
    tried.add(to);
    const { maxVisits = Infinity, onLimit } = draft.definitionOf(to);
    if (draft.step(to).visit < maxVisits) return { to, isLimited: false };
    to = onLimit;
  }
  return { to: null, isLimited: true };
}
