import { defineWrite } from '../declared/write-command.js';

export const setTransformation = defineWrite({
  name: 'transformation set',
  summary: 'Say how values are derived from others, as a whole; admins only',
  path: 'transformations/{transformation}',
  arguments: [['<transformation>', 'id of the transformation']],
  method: 'PUT',
  whole: 'the definition as JSON',
  statement: 'none',
  done: 'stored transformation {transformation}',
  examples: ['throughline transformation set complexity --file complexity.json'],
});
