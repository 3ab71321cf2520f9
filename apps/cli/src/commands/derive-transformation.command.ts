import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';

export const deriveTransformation = defineWrite({
  name: 'transformation derive',
  summary: 'Apply a transformation to the current state of a context',
  path: 'contexts/{context}/transformations/{transformation}/derive',
  arguments: [contextArgument, ['<transformation>', 'id of the transformation']],
  optionSet: 'headers',
  done: 'derived in {context}',
  examples: ['throughline transformation derive demo complexity'],
});
