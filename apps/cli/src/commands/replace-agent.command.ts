import { agentFields } from '../declared/agent-fields.js';
import { defineWrite } from '../declared/write-command.js';

export const replaceAgent = defineWrite({
  name: 'agent replace',
  summary: 'Replace the complete registration of an agent; admins only',
  method: 'PUT',
  path: 'agents/{agent}',
  arguments: [['<agent>', 'id of the agent']],
  fields: agentFields,
  optionSet: 'none',
  done: 'registered agent {agent}',
  examples: ['throughline agent replace pm --file agents/pm.json'],
});
