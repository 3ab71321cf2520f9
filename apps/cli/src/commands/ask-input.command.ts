import { contextArgument } from '../declared/address.js';
import { required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const askInput = defineWrite({
  name: 'input ask',
  summary: 'Ask an agent for input, in whose inbox it stays until it is provided',
  path: 'contexts/{context}/input-requests',
  arguments: [contextArgument],
  fields: [
    required(textField('path', '[path]', 'what is asked for, as analyst.outputs.brief.budget')),
    required(textField('from', '--from <agent>', 'whom it is asked of')),
    textField('reason', '--reason <reason>', 'why it is needed'),
    textField('inputRequestId', '--id <request>', 'id of the request (default: one is made)'),
  ],
  done: 'asked as {inputRequestId}',
  examples: [
    'throughline input ask demo analyst.outputs.project_brief.budget --from analyst --reason "The estimate rests on it"',
  ],
});
