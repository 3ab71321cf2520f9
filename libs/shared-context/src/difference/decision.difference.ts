import { decisionToRecord } from '../decisions/decision.events.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type Part, asks, refused, refusedBySchema } from './part.difference.js';
import { changesIn } from './value.difference.js';

const decisionList: GrowingList = {
  id: 'decisionId',
  changed: (current, sent, at) => refused(...changesIn(current, sent, at)),
  added: (sent, at) => {
    const parsed = decisionToRecord.safeParse(sent);
    return parsed.success
      ? asks({ type: 'RecordDecision', data: parsed.data })
      : refusedBySchema(parsed.error, at);
  },
};

/** Decisions are never edited; new ones follow those that are there. */
export const decisionsDifference: Part = (current, sent, at) =>
  listDifference(current, sent, { at, list: decisionList });
