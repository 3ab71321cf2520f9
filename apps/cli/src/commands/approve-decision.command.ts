import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const approveDecision = defineWrite({
  name: 'decision approve',
  summary: 'Approve a decision that waits for a person',
  path: 'contexts/{context}/decisions/{decision}/approve',
  arguments: [contextArgument, ['<decision>', 'id of the decision, such as DEC-001']],
  fields: [textField('reason', '--reason <reason>', 'the reason')],
  done: 'approved {decision}',
  examples: ['throughline decision approve demo DEC-001 --reason "checked with legal"'],
});
