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

/** An address for `Link`. */
type Address = Readonly<{ to: string; parameters?: Readonly<Record<string, string>> }>;

/** The screen that shows a reason, or on which a person acts on it. */
export function screenOf(reason: AttentionReason, contextId: string): Address {
  if (reason === 'failed-run') return { to: consolePath('contexts', contextId, 'run') };
  if (reason === 'stale-decision') return { to: consolePath('contexts', contextId, 'decisions') };
  if (reason === 'oversized') return { to: consolePath('contexts', contextId, 'view') };
  return { to: '/inbox', parameters: { context: contextId } };
}
