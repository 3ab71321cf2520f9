import { defineList } from '../declared/read-command.js';

export const listInbox = defineList({
  name: 'inbox',
  summary: 'List the open work of an agent in all contexts, the most pressing first',
  path: 'agents/{agent}/inbox',
  arguments: [['<agent>', 'id of the agent']],
  columns: [
    ['PRIORITY', 'priority'],
    ['KIND', 'kind'],
    ['CONTEXT', 'contextId'],
    ['ID', 'entry.handoverId|entry.inputRequestId|entry.decisionId|entry.subject'],
    ['BY', 'entry.agentId'],
    ['WHAT', 'entry.note|entry.path|entry.decision|title'],
  ],
  empty: 'the inbox is empty',
  examples: [
    'throughline inbox reviewer',
    'throughline inbox reviewer --json | jq ".items[].entry"',
  ],
});
