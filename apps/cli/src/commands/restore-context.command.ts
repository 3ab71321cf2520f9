import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { writeAnswer, writeHeaders, writeInput, writeOptions } from '../write-answer.js';

const options = writeOptions.filter(([flags]) => !flags.startsWith('--visibility'));

export const restoreContext = defineCommand({
  name: 'context restore',
  summary: 'Restore an earlier state of a context; its history is preserved',
  arguments: [['<context>', 'id of the context']],
  options: [
    ['--to <version>', 'the version to restore'],
    ['--checkpoint <name>', 'the checkpoint to restore'],
    ...options,
  ],
  examples: [
    'throughline context restore demo --to 7',
    'throughline context restore demo --checkpoint "before the refactoring"',
  ],
  input: writeInput.extend({
    context: z.string(),
    to: z.coerce.number('must be a version number').optional(),
    checkpoint: z.string().optional(),
  }),
  run: async ({ api, show }, given) => {
    const { context, to: version, checkpoint, agent: agentId } = given;
    if ((version === undefined) === (checkpoint === undefined))
      throw new UsageError('pass either --to <version> or --checkpoint <name>');
    const answer = await api.send({
      method: 'POST',
      path: path`contexts/${context}/restore`,
      body: JSON.stringify({ version, checkpoint, agentId }),
      headers: writeHeaders(given),
    });
    show(answer, () => {
      const target = version ?? checkpoint ?? '';
      return `restored ${context} to ${target}, version ${parseAnswer(writeAnswer, answer).version}`;
    });
  },
});
