import { identifiedRecord } from '../records/record.events.js';
import { identifiedReview } from '../reviews/review.events.js';
import { signalEmitted } from '../signals/signal.events.js';
import { identified, statement, unchanging } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type PartComparison } from './part.difference.js';

const recordReview = statement(identifiedReview, (data) => ({ type: 'RecordReview', data }));
const appendRecord = statement(identifiedRecord, (data) => ({ type: 'AppendRecord', data }));

const emitSignal = statement(signalEmitted.schema, (data) => ({ type: 'EmitSignal', data }));

/** Reviews are never edited; new ones follow the known ones. */
export function reviewsDifference(newId: () => string): PartComparison {
  const list: GrowingList = {
    id: 'reviewId',
    changed: unchanging(identifiedReview),
    added: (sent, at) => recordReview(identified(sent, 'reviewId', newId), at),
  };
  return (current, sent, at) => listDifference(current, sent, { at, list });
}

/** Records are never edited; new ones follow the known ones. */
export function recordsDifference(newId: () => string): PartComparison {
  const list: GrowingList = {
    id: 'recordId',
    changed: unchanging(identifiedRecord),
    added: (sent, at) => appendRecord(identified(sent, 'recordId', newId), at),
  };
  return (current, sent, at) => listDifference(current, sent, { at, list });
}

/** Signals have no ids and never change; new ones follow the known ones. */
export const signalsDifference: PartComparison = (current, sent, at) =>
  listDifference(current, sent, {
    at,
    list: { changed: unchanging(signalEmitted.schema), added: emitSignal },
  });
