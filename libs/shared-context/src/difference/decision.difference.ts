import { decisionToRecord } from '../decisions/decision.events.js';
import { statement, unchanging } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type Part } from './part.difference.js';

const decisionList: GrowingList = {
  id: 'decisionId',
  changed: unchanging(decisionToRecord),
  added: statement(decisionToRecord, (data) => ({ type: 'RecordDecision', data })),
};

/** Decisions are never edited; new ones follow those that are there. */
export const decisionsDifference: Part = (current, sent, at) =>
  listDifference(current, sent, { at, list: decisionList });
