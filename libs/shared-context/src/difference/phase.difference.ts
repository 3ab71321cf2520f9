import { phaseCompleted } from '../phases/phase.events.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type Part, asks, refused, refusedBySchema } from './part.difference.js';
import { changesIn } from './value.difference.js';

const completedPhases: GrowingList = {
  id: 'phase',
  changed: (current, sent, at) => refused(...changesIn(current, sent, at)),
  added: (sent, at) => {
    const parsed = phaseCompleted.schema.safeParse(sent);
    return parsed.success
      ? asks({ type: 'CompletePhase', data: parsed.data })
      : refusedBySchema(parsed.error, at);
  },
};

/** What was completed stays so; further phases follow. */
export const phasesDifference: Part = (current, sent, at) =>
  listDifference(current, sent, { at, list: completedPhases });
