import { z } from 'zod';

import { path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { writeHeaders, writeInput, writeOptions } from '../write-answer.js';

export const createCheckpoint = defineCommand({
  name: 'checkpoint create',
  summary: 'Name the current version of a context; each name can be used once',
  arguments: [
    ['<context>', 'id of the context'],
    ['<name>', 'name of the checkpoint'],
  ],
  options: writeOptions,
  examples: [
    'throughline checkpoint create demo "before the refactoring"',
    'throughline checkpoint create demo reviewed --if-match 12',
  ],
  input: writeInput.extend({ context: z.string(), name: z.string() }),
  run: async ({ api, show }, given) => {
    const { context, name, agent: agentId, visibility } = given;
    const answer = await api.send({
      method: 'POST',
      path: path`contexts/${context}/checkpoints`,
      body: JSON.stringify({ name, agentId, visibility }),
      headers: writeHeaders(given),
    });
    show(answer, () => `checkpoint ${name} of ${context}`);
  },
});
