import { type Item, type ItemKey } from '../item.js';

export type PhaseStatus = 'started' | 'completed';

export function phaseKey(phase: string): ItemKey {
  return { kind: 'phase', key: phase };
}

export function phaseStatus(item: Item | undefined): PhaseStatus | undefined {
  // Only phase.fold.ts writes the state of a phase.
  return item?.state['status'] as PhaseStatus | undefined;
}
