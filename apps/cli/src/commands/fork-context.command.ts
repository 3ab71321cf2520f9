import { z } from 'zod';

import { type ApiClient, parseAnswer, path } from '../api-client.js';
import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { writeAnswer, writeHeaders, writeInput, writeOptions } from '../write-answer.js';

const options = writeOptions.filter(([flags]) => !flags.startsWith('--visibility'));

export const forkContext = defineCommand({
  name: 'context fork',
  summary: 'Create a context from the current or an earlier state of another one',
  arguments: [
    ['<context>', 'id of the source context'],
    ['[fork]', 'id of the new context (default: generated)'],
  ],
  options: [
    ['--at <version>', 'the version to start from (default: the current one)'],
    ['--checkpoint <name>', 'the version with this name, such as after:<agent>'],
    ...options,
  ],
  examples: [
    'throughline context fork demo demo-with-redis',
    'throughline context fork demo --at 7 --json',
    'throughline context fork demo second-try --checkpoint after:architect',
  ],
  input: writeInput.extend({
    context: z.string(),
    fork: z.string().optional(),
    at: z.coerce.number('must be a version number').optional(),
    checkpoint: z.string().optional(),
  }),
  run: async ({ api, show }, given) => {
    const { context, fork: contextId, agent: agentId, at, checkpoint } = given;
    if (at !== undefined && checkpoint !== undefined)
      throw new UsageError('pass either --at <version> or --checkpoint <name>');
    const atVersion =
      checkpoint === undefined ? (at ?? (await currentVersion(api, context))) : undefined;
    const answer = await api.send({
      method: 'POST',
      path: path`contexts/${context}/forks`,
      body: JSON.stringify({ atVersion, checkpoint, contextId, agentId }),
      headers: writeHeaders(given),
    });
    show(answer, () => {
      const { contextId: newId } = parseAnswer(writeAnswer, answer);
      return `forked ${context} at ${checkpoint ?? `version ${atVersion}`} as ${newId}`;
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
