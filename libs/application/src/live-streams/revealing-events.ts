import { type VisibilityFilter } from '#visibility';

/**
 * Whether a visible event of this type may have made earlier events visible: those of a step once it has failed, a decision once it
 * is approved, either once the context is restored.
 */
export function revealsEarlier(filter: VisibilityFilter | undefined, type: string): boolean {
  if (!filter) return false;
  const revealing = [
    ...(filter.asksForFailures ? ['StepFailed', 'ContextRestored'] : []),
    ...(filter.liveDecisionsOnly ? ['DecisionApproved', 'ContextRestored'] : []),
  ];
  return revealing.includes(type);
}
