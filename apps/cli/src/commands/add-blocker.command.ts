import { contextArgument } from '../declared/address.js';
import { required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addBlocker = defineWrite({
  name: 'blocker add',
  summary: 'Say that something is in the way',
  path: 'contexts/{context}/blockers',
  arguments: [contextArgument],
  fields: [
    required(textField('description', '[description]', 'what is in the way')),
    textField('blockerId', '--id <blocker>', 'id of the blocker (default: one is made)'),
  ],
  done: 'raised blocker {blockerId}',
  examples: ['throughline blocker add demo "No access to the payment sandbox" --id BLK-1'],
});
