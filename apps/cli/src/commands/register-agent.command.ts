import { agentFields } from '../declared/agent-fields.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const registerAgent = defineWrite({
  name: 'agent register',
  summary: 'Register an agent; refused if its id is registered with other values; admins only',
  path: 'agents',
  fields: [textField('agentId', '<agent>', 'id of the agent'), ...agentFields],
  optionSet: 'none',
  done: 'registered agent {agent}',
  examples: [
    'throughline agent register pm --name John --role "product manager" --kind llm',
    'throughline agent register pm --file agents/pm.json',
  ],
});
