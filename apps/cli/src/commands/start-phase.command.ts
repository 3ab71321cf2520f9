import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const startPhase = defineWrite({
  name: 'phase start',
  summary: 'Start a phase',
  path: 'contexts/{context}/phases/{phase}/start',
  arguments: [contextArgument, ['<phase>', 'name of the phase']],
  fields: [
    textField('agent', '--assignee <agent>', 'the agent that works on it (default: the author)'),
  ],
  done: 'started phase {phase}',
  examples: ['throughline phase start demo design --assignee sdd-architect'],
});
