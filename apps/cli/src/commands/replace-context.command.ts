import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';

export const replaceContext = defineWrite({
  name: 'context replace',
  summary: 'Write a changed document back: what it leaves out stays as it is',
  path: 'contexts/{context}',
  arguments: [contextArgument],
  method: 'PUT',
  whole: 'the document, with the _version that it was read at, or --if-match',
  statement: 'headers',
  done: 'wrote {context} back',
  examples: [
    'throughline context replace demo --file demo.json',
    `throughline context show demo --json | jq '.userPreferences.language = "de"' | throughline context replace demo -`,
  ],
});
