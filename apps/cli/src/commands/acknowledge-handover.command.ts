import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const acknowledgeHandover = defineWrite({
  name: 'handover acknowledge',
  summary: 'Acknowledge a handover to you, or as a person',
  path: 'contexts/{context}/handovers/{handover}/acknowledge',
  arguments: [contextArgument, ['<handover>', 'id of the handover']],
  fields: [textField('note', '--note <text>', 'what you make of it')],
  done: 'acknowledged {handover}',
  examples: ['throughline handover acknowledge demo H-1 --note "Seen, starting with the schemas"'],
});
