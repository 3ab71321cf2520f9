import { type Gate } from '#visibility';

/**
 * Whether a visible event of this type may have made earlier events visible: those of a step once it has failed, a decision once it
 * is approved, either once the context is restored.
 */
export function revealsEarlier(gate: Gate | undefined, type: string): boolean {
  if (!gate) return false;
  const revealing = [
    ...(gate.asksForFailures ? ['StepFailed', 'ContextRestored'] : []),
    ...(gate.liveDecisionsOnly ? ['DecisionApproved', 'ContextRestored'] : []),
  ];
  return revealing.includes(type);
}
