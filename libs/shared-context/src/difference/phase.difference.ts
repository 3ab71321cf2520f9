import { phaseCompleted } from '../phases/phase.events.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type Part, commanded, parseStated, refusedBySchema } from './part.difference.js';
import { changesIn } from './value.difference.js';

const completedPhases: GrowingList = {
  id: 'phase',
  changed: changesIn,
  added: (sent, at) => {
    const parsed = parseStated(phaseCompleted.schema, sent);
    return parsed.success
      ? commanded({ type: 'CompletePhase', data: parsed.data })
      : refusedBySchema(parsed.error, at, { schema: phaseCompleted.schema, sent });
  },
};

/** What was completed stays so; further phases follow. */
export const phasesDifference: Part = (current, sent, at) =>
  listDifference(current, sent, { at, list: completedPhases });
