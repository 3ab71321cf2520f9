import { defineRead } from '../declared/read-command.js';

export const showSettings = defineRead({
  name: 'settings show',
  summary: 'Show the defaults of the workspace',
  path: 'settings',
  examples: ['throughline settings show'],
});
