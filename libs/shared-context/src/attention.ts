/** Reasons why an open context needs a person, in the order in which they are reported. */
export const attentionReasons = [
  /** A step of a run waits for an approval, or for an answer about an attempt whose effect is unknown. */
  'approval',
  /** A decision waits for an approval. */
  'pending-decision',
  'tripped-breaker',
  'failed-run',
  /** A decision that is in force or pending depends on a superseded one. */
  'stale-decision',
  /** The context has more tokens than the threshold of its workspace. */
  'oversized',
] as const;

export type AttentionReason = (typeof attentionReasons)[number];
