import { contextArgument } from '../declared/address.js';
import { required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const updateRisk = defineWrite({
  name: 'risk update',
  summary: 'Update the status or the mitigation of a risk',
  path: 'contexts/{context}/risks/{risk}',
  arguments: [contextArgument, ['<risk>', 'id of the risk']],
  fields: [
    required(
      textField('status', '--status <status>', 'open, mitigated, accepted, closed or occurred'),
    ),
    textField(
      'mitigation',
      '--mitigation <text>',
      'measures against the risk (default: unchanged)',
    ),
  ],
  done: 'updated risk {risk}',
  examples: ['throughline risk update demo RISK-001 --status mitigated'],
});
