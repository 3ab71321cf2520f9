import { definePart } from '../declared/read-command.js';

export const listBlockers = definePart({
  name: 'blocker list',
  summary: 'List the blockers of a context',
  member: 'dependencies.blockers',
  columns: [
    ['BLOCKER', 'blockerId'],
    ['STATUS', 'status'],
    ['BY', 'agentId'],
    ['WHAT', 'description'],
  ],
  empty: 'no blockers',
  examples: ['throughline blocker list demo'],
});
