import { definePart } from '../declared/read-command.js';

export const listRecords = definePart({
  name: 'record list',
  summary: 'List the records of a context, oldest first',
  member: 'records',
  columns: [
    ['RECORD', 'recordId'],
    ['KIND', 'kind'],
    ['BY', 'agentId'],
    ['STEP', 'stepId'],
    ['WHAT', 'title|body|fields'],
  ],
  empty: 'no records',
  examples: ['throughline record list demo', 'throughline record list demo --audience reviewer'],
});
