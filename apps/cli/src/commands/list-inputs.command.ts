import { definePart } from '../declared/read-command.js';

export const listInputs = definePart({
  name: 'input list',
  summary: 'List what agents were asked for, and what was provided, oldest first',
  member: 'inputRequests',
  columns: [
    ['REQUEST', 'inputRequestId'],
    ['STATUS', 'status'],
    ['BY', 'agentId'],
    ['ASKED OF', 'from'],
    ['PATH', 'path'],
    ['VALUE', 'value'],
  ],
  empty: 'nothing was asked for',
  examples: ['throughline input list demo'],
});
