import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { pageInput, pageOf, pageOptions, withNext } from '../paging.js';
import { formatTable } from '../table.js';

const page = pageOf(
  z.looseObject({
    name: z.string(),
    version: z.number(),
    createdAt: z.string(),
    createdBy: z.string(),
    automatic: z.boolean().default(false),
  }),
);

export const listCheckpoints = defineCommand({
  name: 'checkpoint list',
  summary: 'List the named versions of a context',
  arguments: [['<context>', 'id of the context']],
  options: pageOptions,
  examples: [
    'throughline checkpoint list demo',
    'throughline checkpoint list demo --json | jq -r ".items[].name"',
  ],
  input: pageInput.extend({ context: z.string() }),
  run: async ({ api, show }, { context, ...query }) => {
    const answer = await api.send({ path: path`contexts/${context}/checkpoints`, query });
    show(answer, () => render(parseAnswer(page, answer)));
  },
});

function render({ items, nextCursor }: z.output<typeof page>): string {
  if (items.length === 0) return 'no checkpoints; "throughline checkpoint create" creates one';
  const rows = items.map(({ name, version, createdAt, createdBy, automatic }) => [
    name,
    version,
    createdAt,
    automatic ? `${createdBy} (automatic)` : createdBy,
  ]);
  return withNext(formatTable(['NAME', 'VERSION', 'CREATED', 'BY'], rows), nextCursor);
}
