import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const clearBlocker = defineWrite({
  name: 'blocker clear',
  summary: 'Clear a blocker',
  path: 'contexts/{context}/blockers/{blocker}/clear',
  arguments: [contextArgument, ['<blocker>', 'id of the blocker']],
  fields: [textField('note', '--note <text>', 'a comment')],
  done: 'cleared blocker {blocker}',
  examples: ['throughline blocker clear demo BLK-1 --note "the sandbox is open"'],
});
