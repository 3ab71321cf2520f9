import { defineRead } from '../declared/read-command.js';

export const showTransformation = defineRead({
  name: 'transformation show',
  summary: 'Show a transformation as it stands',
  path: 'transformations/{transformation}',
  arguments: [['<transformation>', 'id of the transformation']],
  examples: ['throughline transformation show complexity'],
});
