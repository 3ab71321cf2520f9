import { contextArgument } from '../declared/address.js';
import { required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addRisk = defineWrite({
  name: 'risk add',
  summary: 'Record a risk; it is open until an update sets another status',
  path: 'contexts/{context}/risks',
  arguments: [contextArgument],
  fields: [
    required(textField('description', '[description]', 'description of the risk')),
    required(textField('severity', '--severity <severity>', 'low, medium, high or critical')),
    textField('mitigation', '--mitigation <text>', 'measures against the risk'),
    textField('status', '--status <status>', 'open, mitigated, accepted, closed or occurred'),
    textField('riskId', '--id <risk>', 'id of the risk (default: generated)'),
  ],
  done: 'raised risk {riskId}',
  examples: [
    'throughline risk add demo "Readers may see stale data" --severity medium --mitigation "Show when it was read"',
  ],
});
