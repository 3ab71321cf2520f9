import { definePart } from '../declared/read-command.js';

export const listPhases = definePart({
  name: 'phase list',
  summary: 'List the completed phases with their last completion',
  member: 'completedPhases',
  columns: [
    ['PHASE', 'phase'],
    ['BY', 'agent'],
    ['COMPLETED', 'completedAt'],
    ['OUTPUTS', 'outputs'],
  ],
  empty: 'no completed phases',
  examples: ['throughline phase list demo'],
});
