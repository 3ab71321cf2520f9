import { phaseCompleted } from '../phases/phase.events.js';
import { statement, unchanging } from './entry.difference.js';
import { type GrowingList, listDifference } from './list.difference.js';
import { type PartComparison } from './part.difference.js';

const completedPhases: GrowingList = {
  id: 'phase',
  changed: unchanging(phaseCompleted.schema),
  added: statement(phaseCompleted.schema, (data) => ({ type: 'CompletePhase', data })),
};

/** Completed phases stay completed; new ones follow them. */
export const phasesDifference: PartComparison = (current, sent, at) =>
  listDifference(current, sent, { at, list: completedPhases });
