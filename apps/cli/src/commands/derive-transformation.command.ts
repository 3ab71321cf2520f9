import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';

export const deriveTransformation = defineWrite({
  name: 'transformation derive',
  summary: 'Derive what a transformation makes of a context as it is now',
  path: 'contexts/{context}/transformations/{transformation}/derive',
  arguments: [contextArgument, ['<transformation>', 'id of the transformation']],
  statement: 'headers',
  done: 'derived in {context}',
  examples: ['throughline transformation derive demo complexity'],
});
