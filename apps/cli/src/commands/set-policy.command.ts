import { defineWrite } from '../declared/write-command.js';

export const setPolicy = defineWrite({
  name: 'policy set',
  summary: 'Define what an audience sees, as a whole, from the next read on; admins only',
  path: 'policies/{audience}',
  arguments: [['<audience>', 'name of the audience']],
  method: 'PUT',
  whole: 'the policy as JSON',
  statement: 'none',
  done: 'the policy of {audience} is in force',
  examples: [
    'throughline policy set security --file security.json',
    'throughline policy show reviewer --json | throughline policy set reviewer -',
  ],
});
