import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const rejectDecision = defineWrite({
  name: 'decision reject',
  summary: 'Reject a decision that waits for a person',
  path: 'contexts/{context}/decisions/{decision}/reject',
  arguments: [contextArgument, ['<decision>', 'id of the decision, such as DEC-001']],
  fields: [textField('reason', '--reason <reason>', 'the reason')],
  done: 'rejected {decision}',
  examples: ['throughline decision reject demo DEC-001 --reason "checked with legal"'],
});
