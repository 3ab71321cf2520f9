import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';

export const replaceContext = defineWrite({
  name: 'context replace',
  summary: 'Write a changed document back; omitted members stay unchanged',
  path: 'contexts/{context}',
  arguments: [contextArgument],
  method: 'PUT',
  jsonBody: 'the document with the _version of its read, unless --if-match is given',
  optionSet: 'headers',
  done: 'wrote {context} back',
  examples: [
    'throughline context replace demo --file demo.json',
    `throughline context show demo --json | jq '.userPreferences.language = "de"' | throughline context replace demo -`,
  ],
});
