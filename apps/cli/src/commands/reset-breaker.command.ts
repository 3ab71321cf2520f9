import { contextArgument } from '../declared/address.js';
import { numberField, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const resetBreaker = defineWrite({
  name: 'breaker reset',
  summary: 'Reset the breaker of a loop that was stopped at its limit',
  path: 'contexts/{context}/circuit-breakers/{subject}/reset',
  arguments: [contextArgument, ['<subject>', 'the subject of the loop']],
  fields: [
    textField('reason', '--reason <reason>', 'the reason'),
    numberField('max', '--max <n>', 'the new limit of iterations'),
  ],
  done: 'reset the breaker of {subject}',
  examples: ['throughline breaker reset demo design_l1 --reason "the scope was cut" --max 5'],
});
