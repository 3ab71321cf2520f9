import { type VisibilityFilter } from '#visibility';

/**
 * Whether a visible event of this type may make earlier events visible: the failure of a step reveals events of that step, the
 * approval of a decision reveals the decision, and a restore may reveal both.
 */
export function revealsEarlier(filter: VisibilityFilter | undefined, type: string): boolean {
  if (!filter) return false;
  const revealing = [
    ...(filter.dependsOnFailures ? ['StepFailed', 'ContextRestored'] : []),
    ...(filter.liveDecisionsOnly ? ['DecisionApproved', 'ContextRestored'] : []),
  ];
  return revealing.includes(type);
}
