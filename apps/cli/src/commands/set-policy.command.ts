import { defineWrite } from '../declared/write-command.js';

export const setPolicy = defineWrite({
  name: 'policy set',
  summary: 'Replace the policy of an audience, effective from the next read; admins only',
  path: 'policies/{audience}',
  arguments: [['<audience>', 'name of the audience']],
  method: 'PUT',
  jsonBody: 'the policy as JSON',
  optionSet: 'none',
  done: 'the policy of {audience} is in force',
  examples: [
    'throughline policy set security --file security.json',
    'throughline policy show reviewer --json | throughline policy set reviewer -',
  ],
});
