import { contextArgument } from '../declared/address.js';
import { jsonField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const failStep = defineWrite({
  name: 'step fail',
  summary: 'Say that a step has failed, and why',
  path: 'contexts/{context}/steps/{step}/fail',
  arguments: [contextArgument, ['<step>', 'id of the step']],
  fields: [
    required(textField('reason', '--reason <reason>', 'why')),
    jsonField('tried', '--tried <json>', 'what was tried'),
  ],
  done: 'step {step} has failed',
  examples: [
    'throughline step fail demo build --reason "the tests do not pass"',
    `throughline step fail demo build --reason "no disk" --tried '["npm test"]'`,
  ],
});
