import { contextArgument } from '../declared/address.js';
import { jsonField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const failStep = defineWrite({
  name: 'step fail',
  summary: 'Record the failure of a step',
  path: 'contexts/{context}/steps/{step}/fail',
  arguments: [contextArgument, ['<step>', 'id of the step']],
  fields: [
    required(textField('reason', '--reason <reason>', 'the reason')),
    jsonField('tried', '--tried <json>', 'attempted solutions'),
  ],
  done: 'step {step} has failed',
  examples: [
    'throughline step fail demo build --reason "the tests do not pass"',
    `throughline step fail demo build --reason "no disk" --tried '["npm test"]'`,
  ],
});
