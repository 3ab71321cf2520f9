import { type JsonObject } from '#event-sourcing';

import { type DocumentPart, listSchema } from '../document-part.js';
import { type Item } from '../item.js';
import { asJson, defined } from '../json.js';
import { oldestFirst, renderEntry } from '../listed-entry.js';
import { isBlocking } from '../severity.js';

export const reviewsPart: DocumentPart = {
  members: {
    reviewHistory: {
      schema: listSchema.meta({ description: 'Every review, oldest first' }),
      searched: { shape: 'list' },
    },
    openIssues: {
      schema: listSchema.meta({ description: 'Issues of reviews that no later review addresses' }),
      searched: { shape: 'list' },
    },
  },
  kinds: ['review', 'issue'],
  listed: [
    { kind: 'review', list: 'reviewHistory', render: renderReview },
    { kind: 'issue', list: 'openIssues', render: renderIssue },
  ],
  render: renderReviews,
};

/** A review as recorded; the default reviewer is the author of the event. */
function renderReview(item: Item): JsonObject {
  const entry = renderEntry(item);
  return { ...entry, reviewer: entry['reviewer'] ?? entry['agentId'] ?? null };
}

/** An issue as the newest review states it, with its status and whether it is blocking. */
export function renderIssue(item: Item): JsonObject {
  const { status = null, reviewId = null, severity } = item.state;
  const { addressedIn, addressedBy, addressedAt } = item.state;
  return asJson(
    defined({
      ...renderEntry(item),
      reviewId,
      blocking: isBlocking(severity),
      status,
      addressedIn,
      addressedBy,
      addressedAt,
    }),
  );
}

/** All reviews, and the issues that no later review has addressed, both oldest first. */
export function renderReviews(items: readonly Item[]): JsonObject {
  return {
    reviewHistory: oldestFirst('review', items).map(renderReview),
    openIssues: oldestFirst('issue', items)
      .filter(({ state }) => state['status'] === 'open')
      .map(renderIssue),
  };
}
