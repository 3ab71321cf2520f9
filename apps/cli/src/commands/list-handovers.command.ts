import { definePart } from '../declared/read-command.js';

export const listHandovers = definePart({
  name: 'handover list',
  summary: 'List the handovers of a context, open or acknowledged, oldest first',
  member: 'handoverNotes',
  columns: [
    ['HANDOVER', 'handoverId'],
    ['PRIORITY', 'priority'],
    ['STATUS', 'status'],
    ['FROM', 'from'],
    ['TO', 'to'],
    ['NOTE', 'note'],
  ],
  empty: 'no handovers',
  examples: ['throughline handover list demo'],
});
