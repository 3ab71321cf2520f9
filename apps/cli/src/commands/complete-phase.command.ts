import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const completePhase = defineWrite({
  name: 'phase complete',
  summary: 'Complete a phase',
  path: 'contexts/{context}/phases/{phase}/complete',
  arguments: [contextArgument, ['<phase>', 'name of the phase']],
  fields: [
    textField('outputs', '--output <text...>', 'outputs of the phase'),
    textField('agent', '--assignee <agent>', 'the agent that completed it (default: the author)'),
  ],
  done: 'completed phase {phase}',
  examples: ['throughline phase complete demo design --output design/l1_architecture.md'],
});
