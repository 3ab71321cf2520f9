import { defineWrite } from '../declared/write-command.js';

export const setTransformation = defineWrite({
  name: 'transformation set',
  summary: 'Store the complete definition of a transformation; admins only',
  path: 'transformations/{transformation}',
  arguments: [['<transformation>', 'id of the transformation']],
  method: 'PUT',
  jsonBody: 'the definition as JSON',
  optionSet: 'none',
  done: 'stored transformation {transformation}',
  examples: ['throughline transformation set complexity --file complexity.json'],
});
