import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { printable } from '../printable.js';

const published = z.looseObject({
  definitionId: z.string(),
  version: z.number(),
  hash: z.string(),
  definition: z.looseObject({}),
});

export const showWorkflow = defineCommand({
  name: 'workflow show',
  summary: 'Show the definition of a workflow in force, or another version of it',
  arguments: [['<workflow>', 'id of the workflow']],
  options: [['--version-number <n>', 'this version instead of the one in force']],
  examples: [
    'throughline workflow show feature',
    'throughline workflow show feature --version-number 2',
    'throughline workflow show feature --json | jq .definition > feature.json',
  ],
  input: z.object({ workflow: z.string(), versionNumber: z.string().optional() }),
  run: async ({ api, show }, { workflow, versionNumber }) => {
    const answer = await api.send({
      path:
        versionNumber === undefined
          ? path`workflows/${workflow}`
          : path`workflows/${workflow}/versions/${versionNumber}`,
    });
    show(answer, () => {
      const { definitionId, version, hash, definition } = parseAnswer(published, answer);
      const head = `${definitionId}  version ${version}  ${hash}`;
      return printable(`${head}\n${JSON.stringify(definition, null, 2)}`);
    });
  },
});
