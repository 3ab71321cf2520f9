import { contextArgument } from '../declared/address.js';
import { asOfOption, audienceOption, defineList } from '../declared/read-command.js';

export const listDecisions = defineList({
  name: 'decision list',
  summary: 'List the decisions of a context, oldest first',
  path: 'contexts/{context}/decisions',
  arguments: [contextArgument],
  options: [
    ['--live', 'only live decisions'],
    ['--topic <topic>', 'only decisions on this topic'],
    asOfOption,
    audienceOption,
  ],
  columns: [
    ['DECISION', 'decisionId'],
    ['STATUS', 'status'],
    ['STALE', 'stale'],
    ['TOPIC', 'topic'],
    ['BY', 'agentId'],
    ['WHAT', 'decision'],
  ],
  empty: 'no decisions',
  examples: [
    'throughline decision list demo --live',
    'throughline decision list demo --topic storage --as-of 12',
  ],
});
