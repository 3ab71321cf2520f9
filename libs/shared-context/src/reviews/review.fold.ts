import { type RecordedOf, authorOf, happenedAt } from '../context.events.js';
import { basisOf } from '../basis/stale-work.js';
import { type EventFolds } from '../event-fold.js';
import { type ItemChange, type ItemKey, type ItemLookup } from '../item.js';
import { asJson } from '../json.js';
import { authorship } from '../listed-entry.js';
import { newestReview, newestReviewKey } from './newest-review.js';

export function reviewKey(reviewId: string): ItemKey {
  return { kind: 'review', key: reviewId };
}

export function issueKey(issueId: string): ItemKey {
  return { kind: 'issue', key: issueId };
}

/** A review is one item, and each of its issues is another, so that addressing an issue does not load the review. */
export const reviewFolds: EventFolds<'ReviewRecorded'> = {
  ReviewRecorded: {
    touches: ({ data }) => [
      reviewKey(data.reviewId),
      newestReviewKey(data.artifact),
      ...issuesOf(data).raised.keys().map(issueKey),
      ...issuesOf(data).addressed.map(issueKey),
    ],
    fold: (event, current) => [
      {
        ...reviewKey(event.data.reviewId),
        state: {
          status: event.data.status,
          version: event.version,
          ...authorship(event),
          ...basisOf(event),
        },
        body: asJson(event.data),
      },
      newestReview(event),
      ...issuesOf(event.data)
        .raised.values()
        .map((place) => raiseIssue(event, place, current)),
      ...issuesOf(event.data).addressed.flatMap((issueId) => addressIssue(event, issueId, current)),
    ],
  },
};

type Review = RecordedOf<'ReviewRecorded'>;
type RaisedIssue = Readonly<{ issue: Review['data']['keyIssues'][number]; place: number }>;

/**
 * The raised issues with their places, and the ids of the addressed ones, without duplicates; a raised issue is not
 * addressed.
 */
function issuesOf({ keyIssues, addresses = [] }: Review['data']) {
  const raised = new Map(keyIssues.map((issue, place) => [issue.issueId, { issue, place }]));
  return { raised, addressed: [...new Set(addresses)].filter((id) => !raised.has(id)) };
}

function raiseIssue(event: Review, { issue, place }: RaisedIssue, current: ItemLookup): ItemChange {
  const { reviewId, artifact } = event.data;
  const key = issueKey(issue.issueId);
  const before = current(key.kind, key.key)?.state;
  return {
    ...key,
    state: {
      status: 'open',
      severity: issue.severity,
      reviewId,
      firstVersion: before?.['firstVersion'] ?? event.version,
      place: before?.['place'] ?? place,
      version: event.version,
      ...authorship(event),
    },
    body: { ...issue, artifact },
  };
}

/** Marks an open issue as addressed; has no effect on others. */
function addressIssue(event: Review, issueId: string, current: ItemLookup): readonly ItemChange[] {
  const key = issueKey(issueId);
  const item = current(key.kind, key.key);
  if (item?.state['status'] !== 'open') return [];
  const state = {
    ...item.state,
    status: 'addressed',
    addressedIn: event.data.reviewId,
    addressedBy: authorOf(event),
    addressedAt: happenedAt(event),
  };
  return [{ ...key, state, body: item.body }];
}
