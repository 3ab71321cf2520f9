import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { renderMembers } from '../declared/member-text.js';
import { defineWrite } from '../declared/write-command.js';

export const setSettings = defineWrite({
  name: 'settings set',
  summary: 'Change the defaults of the workspace by a JSON merge patch; admins only',
  method: 'PATCH',
  path: 'settings',
  jsonBody: 'the changed members as a JSON object; null resets a member to its default',
  optionSet: 'none',
  done: 'changed the settings',
  render: (answer) => renderMembers(parseAnswer(z.looseObject({}), answer)),
  examples: [
    `throughline settings set '{"agentsMayClose": false}'`,
    `throughline settings set '{"viewMaxTokens": 20000, "maxIterations": null}'`,
  ],
});
