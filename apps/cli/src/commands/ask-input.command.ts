import { contextArgument } from '../declared/address.js';
import { required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const askInput = defineWrite({
  name: 'input ask',
  summary:
    'Ask an agent for input; the request stays in the inbox of that agent until it is answered',
  path: 'contexts/{context}/input-requests',
  arguments: [contextArgument],
  fields: [
    required(
      textField(
        'path',
        '[path]',
        'path of the requested value, such as analyst.outputs.brief.budget',
      ),
    ),
    required(textField('from', '--from <agent>', 'the agent that should provide it')),
    textField('reason', '--reason <reason>', 'the reason'),
    textField('inputRequestId', '--id <request>', 'id of the request (default: generated)'),
  ],
  done: 'requested as {inputRequestId}',
  examples: [
    'throughline input ask demo analyst.outputs.project_brief.budget --from analyst --reason "The estimate depends on it"',
  ],
});
