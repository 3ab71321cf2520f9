import { contextArgument } from '../declared/address.js';
import { required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addBlocker = defineWrite({
  name: 'blocker add',
  summary: 'Record a blocker',
  path: 'contexts/{context}/blockers',
  arguments: [contextArgument],
  fields: [
    required(textField('description', '[description]', 'description of the blocker')),
    textField('blockerId', '--id <blocker>', 'id of the blocker (default: generated)'),
  ],
  done: 'raised blocker {blockerId}',
  examples: ['throughline blocker add demo "No access to the payment sandbox" --id BLK-1'],
});
