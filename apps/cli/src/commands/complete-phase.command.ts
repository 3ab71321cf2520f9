import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const completePhase = defineWrite({
  name: 'phase complete',
  summary: 'Say that a phase is over',
  path: 'contexts/{context}/phases/{phase}/complete',
  arguments: [contextArgument, ['<phase>', 'name of the phase']],
  fields: [
    textField('outputs', '--output <text...>', 'what it has produced'),
    textField('agent', '--assignee <agent>', 'who has completed it (default: the author)'),
  ],
  done: 'completed phase {phase}',
  examples: ['throughline phase complete demo design --output design/l1_architecture.md'],
});
