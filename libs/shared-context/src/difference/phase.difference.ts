import { phaseCompleted } from '../phases/phase.events.js';
import { statement, unchanging } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type Part } from './part.difference.js';

const completedPhases: GrowingList = {
  id: 'phase',
  changed: unchanging(phaseCompleted.schema),
  added: statement(phaseCompleted.schema, (data) => ({ type: 'CompletePhase', data })),
};

/** What was completed stays so; further phases follow. */
export const phasesDifference: Part = (current, sent, at) =>
  listDifference(current, sent, { at, list: completedPhases });
