import { contextArgument } from '../declared/address.js';
import { numberField, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const resetBreaker = defineWrite({
  name: 'breaker reset',
  summary: 'Let a loop run again that was stopped by its limit',
  path: 'contexts/{context}/circuit-breakers/{subject}/reset',
  arguments: [contextArgument, ['<subject>', 'what is iterated']],
  fields: [
    textField('reason', '--reason <reason>', 'why'),
    numberField('max', '--max <n>', 'how many iterations there may be now'),
  ],
  done: 'reset the breaker of {subject}',
  examples: ['throughline breaker reset demo design_l1 --reason "the scope was cut" --max 5'],
});
