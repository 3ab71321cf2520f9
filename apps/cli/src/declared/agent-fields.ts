import { jsonField, longTextField, numberField, required, textField } from './fields.js';

/** The definition of an agent. */
export const agentFields = [
  required(textField('name', '--name <name>', 'display name')),
  required(textField('role', '--role <role>', 'role of the agent')),
  required(textField('kind', '--kind <kind>', 'llm, person, tool or service')),
  longTextField('persona', '--persona <text>', 'style and behavior of the agent'),
  longTextField('template', '--template <text>', 'prompt template of the agent'),
  jsonField('contract', '--contract <json>', 'required inputs and promised outputs'),
  jsonField('view', '--view <json>', 'default parameters of its views'),
  numberField('maxRunningAttempts', '--max-running <n>', 'maximum number of concurrent attempts'),
];
