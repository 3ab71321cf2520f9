import { contextArgument } from '../declared/address.js';
import { numberField, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const startIteration = defineWrite({
  name: 'iteration start',
  summary: 'Start an iteration of a loop; refused beyond the limit',
  path: 'contexts/{context}/iterations',
  arguments: [contextArgument],
  fields: [
    textField('subject', '<subject>', 'the subject of the loop, such as an artifact or a phase'),
    numberField('max', '--max <n>', 'a lower limit than the one of the workspace'),
  ],
  done: 'started an iteration of {subject}',
  examples: ['throughline iteration start demo design_l1'],
});
