import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const reopenContext = defineWrite({
  name: 'context reopen',
  summary: 'Reopen a closed context',
  path: 'contexts/{context}/reopen',
  arguments: [contextArgument],
  fields: [textField('reason', '--reason <reason>', 'the reason')],
  done: 'reopened {context}',
  examples: ['throughline context reopen demo --reason "a bug came back"'],
});
