import { phaseCompleted } from '../phases/phase.events.js';
import { statement } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type Part } from './part.difference.js';
import { changesIn } from './value.difference.js';

const completedPhases: GrowingList = {
  id: 'phase',
  changed: changesIn,
  added: statement(phaseCompleted.schema, (data) => ({ type: 'CompletePhase', data })),
};

/** What was completed stays so; further phases follow. */
export const phasesDifference: Part = (current, sent, at) =>
  listDifference(current, sent, { at, list: completedPhases });
