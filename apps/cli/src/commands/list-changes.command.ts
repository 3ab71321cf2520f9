import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { pageInput, pageOf, withNext } from '../paging.js';
import { sendForAllPages } from '../replay/all-pages.js';
import { changedParts, difference } from '../replay/difference.js';
import { paintFor } from '../replay/paint.js';
import { type PartStyle, renderParts } from '../replay/render-parts.js';
import { formatTable } from '../table.js';

const changes = pageOf(
  z.looseObject({
    version: z.number(),
    recordedAt: z.string(),
    agentId: z.string(),
    line: z.string(),
  }),
).extend({ from: z.number(), to: z.number(), difference: difference.nullable() });

export const listChanges = defineCommand({
  name: 'changes',
  summary: 'Show the changes of a context since a position',
  arguments: [['<context>', 'id of the context']],
  options: [
    ['--since <position>', 'a version (default 0: everything), or a time with offset as RFC 3339'],
    ['--whole', 'do not shorten long parts'],
    ['--limit <n>', 'one page of at most n events (at most 500; default: all events)'],
    ['--cursor <cursor>', 'continue after the previous page'],
  ],
  examples: [
    'throughline changes demo --since 12',
    'throughline changes demo --since 2026-03-01T09:00:00Z',
    'throughline changes demo --since 12 --json | jq .difference.decisionsStale',
  ],
  input: pageInput.extend({
    context: z.string(),
    since: z.string().default('0'),
    whole: z.boolean().default(false),
  }),
  run: async ({ api, show, terminal }, { context, whole, ...query }) => {
    const request = { path: path`contexts/${context}/changes`, query };
    const isOnePage = query.limit !== undefined || query.cursor !== undefined;
    const answer = await (isOnePage ? api.send(request) : sendForAllPages(api, request));
    show(answer, () =>
      render(context, parseAnswer(changes, answer), { paint: paintFor(terminal), whole }),
    );
  },
});

function render(context: string, result: z.output<typeof changes>, style: PartStyle): string {
  const title = `${context}  since version ${result.from}, now ${result.to}`;
  if (result.from === result.to) return `${title}: no changes`;
  const rows = result.items.map(({ version, recordedAt, agentId, line }) => [
    version,
    recordedAt,
    agentId,
    line,
  ]);
  const table = withNext(
    formatTable(['VERSION', 'RECORDED', 'BY', 'WHAT'], rows),
    result.nextCursor,
  );
  const parts = result.difference ? changedParts(result.difference) : [];
  return [title, table, renderParts(parts, style)].filter((block) => block !== '').join('\n\n');
}
