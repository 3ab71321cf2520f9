import { consolePath } from '../../navigation/location.js';

/** A reason why a context needs a person, as `GET /v1/contexts?attention=any` returns it. */
export type AttentionReason = keyof typeof reasonLabels;

export const reasonLabels = {
  approval: 'waits for an approval',
  'pending-decision': 'a decision waits for an approval',
  'tripped-breaker': 'a circuit breaker has tripped',
  'failed-run': 'the run has failed',
  'stale-decision': 'a decision is stale',
  oversized: 'too large',
} as const;

/** The screen that shows a reason, or on which a person acts on it. */
export function screenOf(reason: AttentionReason, contextId: string): string {
  if (reason === 'failed-run') return consolePath('contexts', contextId, 'run');
  if (reason === 'stale-decision') return consolePath('contexts', contextId, 'decisions');
  if (reason === 'oversized') return consolePath('contexts', contextId, 'view');
  return '/inbox';
}
