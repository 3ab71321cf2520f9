import { jsonField, longTextField, numberField, required, textField } from './fields.js';

/** The definition of an agent. */
export const agentFields = [
  required(textField('name', '--name <name>', 'what it is called')),
  required(textField('role', '--role <role>', 'what it does')),
  required(textField('kind', '--kind <kind>', 'llm, person, tool or service')),
  longTextField('persona', '--persona <text>', 'how it speaks and works'),
  longTextField('template', '--template <text>', 'the prompt that calls it'),
  jsonField('contract', '--contract <json>', 'what it needs and what it promises'),
  jsonField('view', '--view <json>', 'what its views are unless a request says otherwise'),
  numberField(
    'maxRunningAttempts',
    '--max-running <n>',
    'how many attempts of runs it carries out at once',
  ),
];
