import { type RecordedOf } from '../context.events.js';
import { type Item, type ItemChange, type ItemKey } from '../item.js';
import { boundedKey } from '../bounded-key.js';

type ReviewStatus = RecordedOf<'ReviewRecorded'>['data']['status'];

type ItemUpdate = Exclude<ItemChange, { removed: true }>;

/** The verdict of the newest review of an artifact, by the name that reviews use for it. */
export type Verdict = 'approved' | 'rejected' | 'blocked';

const verdicts: Readonly<Record<ReviewStatus, Verdict>> = {
  APPROVED: 'approved',
  APPROVED_WITH_FIXES: 'approved',
  REJECTED_WITH_FEEDBACK: 'rejected',
  BLOCKED: 'blocked',
};

export function newestReviewKey(artifact: string): ItemKey {
  return { kind: 'newest-review', key: boundedKey(artifact) };
}

/** A separate item, so that the outcome of a context can be computed without loading its reviews. */
export function newestReview({ data, version }: RecordedOf<'ReviewRecorded'>): ItemUpdate {
  const { artifact, reviewId, status } = data;
  const state = { reviewId, verdict: verdicts[status], version };
  return { ...newestReviewKey(artifact), state, body: undefined };
}

/** The verdict in an item of the kind `newest-review` or `newest-signal`. */
export function verdictOf({ state }: Pick<Item, 'state'>): Verdict | 'implemented' {
  // Only the folds of reviews and signals write the state of these items.
  return state['verdict'] as Verdict | 'implemented';
}
