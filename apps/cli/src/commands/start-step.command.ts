import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';

export const startStep = defineWrite({
  name: 'step start',
  summary: 'Start a step',
  path: 'contexts/{context}/steps/{step}/start',
  arguments: [contextArgument, ['<step>', 'id of the step']],
  done: 'started step {step}',
  examples: ['throughline step start demo plan'],
});
