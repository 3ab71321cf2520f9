import { decisionToRecord } from '../decisions/decision.events.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type Part, commanded, parseStated, refusedBySchema } from './part.difference.js';
import { changesIn } from './value.difference.js';

const decisionList: GrowingList = {
  id: 'decisionId',
  changed: changesIn,
  added: (sent, at) => {
    const parsed = parseStated(decisionToRecord, sent);
    return parsed.success
      ? commanded({ type: 'RecordDecision', data: parsed.data })
      : refusedBySchema(parsed.error, at, { schema: decisionToRecord, sent });
  },
};

/** Decisions are never edited; new ones follow those that are there. */
export const decisionsDifference: Part = (current, sent, at) =>
  listDifference(current, sent, { at, list: decisionList });
