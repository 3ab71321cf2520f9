import { definePart } from '../declared/read-command.js';

export const listSignals = definePart({
  name: 'signal list',
  summary: 'List the signals of agents, oldest first',
  member: 'signals',
  columns: [
    ['SIGNAL', 'signal'],
    ['SUBJECT', 'subject'],
    ['BY', 'agentId'],
    ['WHEN', 'timestamp'],
    ['DETAIL', 'detail.reason|detail.recommendation|detail'],
  ],
  empty: 'no signals',
  examples: ['throughline signal list demo'],
});
