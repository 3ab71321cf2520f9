import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { readFileText } from '../json-input.js';
import { printableLine } from '../printable.js';

const published = z.looseObject({
  definitionId: z.string(),
  version: z.number(),
  warnings: z.array(
    z.looseObject({
      line: z.number().optional(),
      column: z.number().optional(),
      code: z.string(),
      message: z.string(),
    }),
  ),
});

export const publishWorkflow = defineCommand({
  name: 'workflow publish',
  summary: 'Publish a definition, which is then in force for new runs',
  arguments: [['<file>', 'a workflow definition; - reads standard input']],
  examples: ['throughline workflow publish feature.json'],
  input: z.object({ file: z.string() }),
  run: async ({ api, terminal, show }, { file }) => {
    // Sent as text, so that the server reports lines and columns of faults.
    const body = JSON.stringify(await readFileText(file, terminal));
    const answer = await api.send({ method: 'POST', path: 'workflows', body });
    const { definitionId, version, warnings } = parseAnswer(published, answer);
    for (const { line, column, code, message } of warnings)
      terminal.warn(printableLine(`${file}:${line}:${column}: warning ${code}: ${message}`));
    const isNew = answer.status === 201;
    show(answer, () =>
      printableLine(`${definitionId}: version ${version} is in force${isNew ? ', and new' : ''}`),
    );
  },
});
