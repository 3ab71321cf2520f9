import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { printableLine } from '../printable.js';
import { contextDocument, renderContext } from '../render-context.js';

export const showContext = defineCommand({
  name: 'context show',
  summary: 'Show the current or an earlier state of a context',
  arguments: [['<context>', 'id of the context']],
  options: [
    ['--as-of <position>', 'a version, or a time with offset as RFC 3339'],
    ['--audience <name>', 'as this audience sees it'],
    ['--parts <names>', 'only these members of the document, separated by commas, as JSON'],
    ['--receipt', 'also print the receipt of the read to standard error'],
  ],
  examples: [
    'throughline context show demo',
    'throughline context show demo --as-of 12',
    'throughline context show demo --parts currentState,globalContext',
    'throughline context show demo --receipt',
    'throughline context show demo --as-of 2026-03-01T09:00:00Z --json | jq .decisionHistory',
  ],
  input: z.object({
    context: z.string(),
    asOf: z.string().optional(),
    audience: z.string().optional(),
    parts: z.string().optional(),
    receipt: z.boolean().default(false),
  }),
  run: async ({ api, show, terminal }, { context, receipt, ...query }) => {
    const answer = await api.send({ path: path`contexts/${context}`, query });
    show(answer, () =>
      query.parts === undefined
        ? renderContext(parseAnswer(contextDocument, answer))
        : JSON.stringify(parseAnswer(z.looseObject({}), answer), null, 2),
    );
    if (receipt && answer.receipt !== null)
      terminal.warn(printableLine(`receipt ${answer.receipt}`));
  },
});
