import { z } from 'zod';

import { type ApiClient, parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { writeAnswer, writeHeaders, writeInput, writeOptions } from '../write-answer.js';

const options = writeOptions.filter(([flags]) => !flags.startsWith('--visibility'));

export const forkContext = defineCommand({
  name: 'context fork',
  summary: 'Start a context from what another one holds, or held at a version',
  arguments: [
    ['<context>', 'id of the context to start from'],
    ['[fork]', 'id of the new context; without it the server makes one'],
  ],
  options: [['--at <version>', 'the version to start from (default: the current one)'], ...options],
  examples: [
    'throughline context fork demo demo-with-redis',
    'throughline context fork demo --at 7 --json',
  ],
  input: writeInput.extend({
    context: z.string(),
    fork: z.string().optional(),
    at: z.coerce.number('must be a version').optional(),
  }),
  run: async ({ api, show }, given) => {
    const { context, fork: contextId, agent: agentId } = given;
    const atVersion = given.at ?? (await currentVersion(api, context));
    const answer = await api.send({
      method: 'POST',
      path: path`contexts/${context}/forks`,
      body: JSON.stringify({ atVersion, contextId, agentId }),
      headers: writeHeaders(given),
    });
    show(answer, () => {
      const { contextId: made } = parseAnswer(writeAnswer, answer);
      return `forked ${context} at version ${atVersion} as ${made}`;
    });
  },
});

async function currentVersion(api: ApiClient, context: string): Promise<number> {
  const answer = await api.send({
    path: path`contexts/${context}/checkpoints`,
    query: { limit: 1 },
  });
  return Number(/\d+/.exec(answer.version ?? '')?.[0]);
}
