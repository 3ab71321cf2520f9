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

type Counted = Pick<CountedHistory, 'reviews' | 'approvedReviews'>;
type Place = Readonly<{ order: EntryOrder; nameOf: (id: string | undefined) => string }>;

/** Entries are only ever added, so that their numbers name them. */
export function readReviews(reading: SddReading): Counted {
  const order = new EntryOrder();
  const names = new ItemNames();
  const statuses = listIn(reading, 'review_history').flatMap((element, at) => {
    const nameOf = (id: string | undefined) => names.take(id, `review-${at + 1}`);
    return readReview(reading, element, { order, nameOf }) ?? [];
  });
  const approved = statuses.filter((status) => status.startsWith('APPROVED'));
  return { reviews: statuses.length, approvedReviews: approved.length };
}

/** Returns the status of the review, if it became one. */
function readReview({ draft }: SddReading, element: JsonPart, place: Place): string | undefined {
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
      reason: `a review needs an artifact and as status one of ${reviewStatuses.join(', ')}`,
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

/** Texts, or objects with a text and a severity. Their ids are the server's: issues of two reviews may have the same. */
function issuesIn(draft: JsonDraft, list: JsonPart | undefined) {
  if (!list) return undefined;
  if (!list.isArray) draft.note(list, 'text', 'a list of issues is expected here');
  return list.elements().flatMap((element) => {
    const entry = new JsonEntry(draft, element);
    const line = element.value();
    const text = typeof line === 'string' ? line : entry.text('text', 'description', 'issue');
    const severity = entry.oneOf('severity', severities);
    entry.finish();
    if (text !== undefined && text.trim() !== '') return [defined({ severity, text })];
    draft.note(element, 'text', 'a text is expected here');
    return [];
  });
}
