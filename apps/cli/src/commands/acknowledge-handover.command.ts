import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const acknowledgeHandover = defineWrite({
  name: 'handover acknowledge',
  summary: 'Acknowledge a handover, as its recipient or as a person',
  path: 'contexts/{context}/handovers/{handover}/acknowledge',
  arguments: [contextArgument, ['<handover>', 'id of the handover']],
  fields: [textField('note', '--note <text>', 'a comment')],
  done: 'acknowledged {handover}',
  examples: ['throughline handover acknowledge demo H-1 --note "Seen, starting with the schemas"'],
});
