import { itemRef } from '../documents/item-ref.js';
import { defined } from '../json/defined.js';
import { type JsonDraft } from '../json/json-draft.js';
import { ItemNames } from '../json/item-names.js';
import { JsonEntry } from '../json/json-entry.js';
import { type JsonPart } from '../json/json-part.js';
import { planRecord } from '../json/plan-record.js';
import { EntryOrder } from '../json/entry-order.js';
import { listIn } from './list-in.js';
import { reviewStatuses, severities } from './sdd-schema.js';
import { type CountedHistory, type SddReading } from './sdd-reading.js';

type ReviewCounts = Pick<CountedHistory, 'reviews' | 'approvedReviews'>;
type ReviewOptions = Readonly<{ order: EntryOrder; nameOf: (id: string | undefined) => string }>;

/** Entries are only added, so they can be named by their numbers. */
export function readReviews(reading: SddReading): ReviewCounts {
  const order = new EntryOrder();
  const names = new ItemNames();
  const statuses = listIn(reading, 'review_history').flatMap((element, at) => {
    const nameOf = (id: string | undefined) => names.take(id, `review-${at + 1}`);
    return readReview(reading, element, { order, nameOf }) ?? [];
  });
  const approved = statuses.filter((status) => status.startsWith('APPROVED'));
  return { reviews: statuses.length, approvedReviews: approved.length };
}

/** Returns the status of the review; undefined if the entry did not become one. */
function readReview(
  { draft }: SddReading,
  element: JsonPart,
  place: ReviewOptions,
): string | undefined {
  const entry = new JsonEntry(draft, element);
  const reviewId = place.nameOf(entry.text('id'));
  const origin = { agentId: entry.agent('reviewer'), timestamp: entry.time('timestamp') };
  const order = place.order.next(origin.timestamp);
  const artifact = entry.text('artifact');
  const status = entry.oneOf('status', reviewStatuses);
  if (artifact === undefined || status === undefined) {
    planRecord(draft, element, {
      recordId: reviewId,
      title: 'review_history',
      origin,
      order,
      reason: `a review needs an artifact, and a status that is one of ${reviewStatuses.join(', ')}`,
    });
    return undefined;
  }
  const data = defined({
    reviewId,
    artifact,
    status,
    iteration: entry.count('iteration', 1),
    keyIssues: issuesIn(draft, entry.member('key_issues')),
    reviewFile: entry.text('review_file'),
  });
  entry.finish();
  const item = itemRef('review', reviewId);
  if (!draft.plan(element, { item, type: 'ReviewRecorded', data, origin, order })) return undefined;
  draft.claim(element, [item]);
  return status;
}

/**
 * Reads texts, or objects with a text and a severity. The server assigns their ids, because issues of two reviews may
 * have the same id.
 */
function issuesIn(draft: JsonDraft, list: JsonPart | undefined) {
  if (!list) return undefined;
  if (!list.isArray) draft.note(list, 'text', 'expected a list of issues');
  return list.elements().flatMap((element) => {
    const entry = new JsonEntry(draft, element);
    const line = element.value();
    const text = typeof line === 'string' ? line : entry.text('text', 'description', 'issue');
    const severity = entry.oneOf('severity', severities);
    entry.finish();
    if (text !== undefined && text.trim() !== '') return [defined({ severity, text })];
    draft.note(element, 'text', 'expected a text');
    return [];
  });
}
