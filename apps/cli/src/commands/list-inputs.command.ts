import { definePart } from '../declared/read-command.js';

export const listInputs = definePart({
  name: 'input list',
  summary: 'List input requests and their answers, oldest first',
  member: 'inputRequests',
  columns: [
    ['REQUEST', 'inputRequestId'],
    ['STATUS', 'status'],
    ['BY', 'agentId'],
    ['ASKED OF', 'from'],
    ['PATH', 'path'],
    ['VALUE', 'value'],
  ],
  empty: 'no input requests',
  examples: ['throughline input list demo'],
});
