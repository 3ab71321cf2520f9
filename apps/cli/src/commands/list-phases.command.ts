import { definePart } from '../declared/read-command.js';

export const listPhases = definePart({
  name: 'phase list',
  summary: 'List the phases that are completed, by their newest completion',
  member: 'completedPhases',
  columns: [
    ['PHASE', 'phase'],
    ['BY', 'agent'],
    ['COMPLETED', 'completedAt'],
    ['OUTPUTS', 'outputs'],
  ],
  empty: 'no phase is completed',
  examples: ['throughline phase list demo'],
});
