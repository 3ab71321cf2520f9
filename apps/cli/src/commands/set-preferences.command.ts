import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';

export const setPreferences = defineWrite({
  name: 'preferences set',
  summary: 'Change the preferences of a context by a JSON merge patch',
  path: 'contexts/{context}/preferences',
  arguments: [contextArgument],
  method: 'PATCH',
  jsonBody: 'the changed members as a JSON object; null removes a member',
  optionSet: 'headers',
  done: 'changed the preferences of {context}',
  examples: [
    `throughline preferences set demo '{"language": "de", "theme": null}'`,
    'throughline preferences set demo --file preferences.json',
  ],
});
