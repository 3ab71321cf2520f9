import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { pageInput, pageOf, pageOptions, withNext } from '../paging.js';
import { formatTable } from '../table.js';

const page = pageOf(
  z.looseObject({
    contextId: z.string(),
    title: z.string().nullish(),
    status: z.string(),
    createdAt: z.string(),
    phase: z.string().nullish(),
    activeAgent: z.string().nullish(),
    events: z.number().nullish(),
  }),
);

export const listContexts = defineCommand({
  name: 'context list',
  summary: 'List contexts, newest first',
  options: [
    ['--status <status>', 'open or closed'],
    ['--workflow <definition>', 'instances of this workflow'],
    ['--parent <context>', 'children of this context'],
    ['--agent <agent>', 'contexts in which this agent is active'],
    ['--updated-since <time>', 'contexts changed since this time, as RFC 3339'],
    [
      '--attention <reason>',
      'open contexts that need a person: any, or one reason, such as failed-run',
    ],
    ['--search <words>', 'contexts that match words, a "phrase", -not, or'],
    ['--contains <json>', 'contexts whose document contains this JSON'],
    ...pageOptions,
  ],
  examples: [
    'throughline context list --status open',
    'throughline context list --workflow release --limit 10',
    'throughline context list --search "checkout -draft"',
    'throughline context list --json | jq -r ".items[].contextId"',
  ],
  input: pageInput.extend({
    status: z.string().optional(),
    workflow: z.string().optional(),
    parent: z.string().optional(),
    agent: z.string().optional(),
    updatedSince: z.string().optional(),
    attention: z.string().optional(),
    search: z.string().optional(),
    contains: z.string().optional(),
  }),
  run: async ({ api, show }, { search: q, ...filters }) => {
    const answer = await api.send({ path: 'contexts', query: { ...filters, q } });
    show(answer, () => render(parseAnswer(page, answer)));
  },
});

function render({ items, nextCursor }: z.output<typeof page>): string {
  if (items.length === 0) return 'no contexts; "throughline context create" creates one';
  const rows = items.map((item) => [
    item.contextId,
    item.status,
    item.events,
    item.phase,
    item.activeAgent,
    item.createdAt,
    item.title,
  ]);
  const headings = ['CONTEXT', 'STATUS', 'EVENTS', 'PHASE', 'AGENT', 'CREATED', 'TITLE'];
  return withNext(formatTable(headings, rows), nextCursor);
}
