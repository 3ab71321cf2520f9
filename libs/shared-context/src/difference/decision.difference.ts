import { decisionToRecord } from '../decisions/decision.events.js';
import { statement, unchanging } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type PartComparison } from './part.difference.js';

const decisionList: GrowingList = {
  id: 'decisionId',
  changed: unchanging(decisionToRecord),
  added: statement(decisionToRecord, (data) => ({ type: 'RecordDecision', data })),
};

/** Decisions are never edited; new ones follow the known ones. */
export const decisionsDifference: PartComparison = (current, sent, at) =>
  listDifference(current, sent, { at, list: decisionList });
