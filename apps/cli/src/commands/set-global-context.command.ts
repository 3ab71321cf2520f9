import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';

export const setGlobalContext = defineWrite({
  name: 'global set',
  summary: 'Change the global context of a context by a JSON merge patch',
  path: 'contexts/{context}/global-context',
  arguments: [contextArgument],
  method: 'PATCH',
  jsonBody: 'the changed members as a JSON object; null removes a member',
  optionSet: 'headers',
  done: 'changed the global context of {context}',
  examples: [
    `throughline global set demo '{"constraints": ["no new dependencies"]}'`,
    'throughline global set demo --file global.json',
  ],
});
