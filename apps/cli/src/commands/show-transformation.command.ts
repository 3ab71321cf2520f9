import { defineRead } from '../declared/read-command.js';

export const showTransformation = defineRead({
  name: 'transformation show',
  summary: 'Show the definition of a transformation',
  path: 'transformations/{transformation}',
  arguments: [['<transformation>', 'id of the transformation']],
  examples: ['throughline transformation show complexity'],
});
