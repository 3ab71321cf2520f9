import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { pageInput, pageOf, pageOptions, withNext } from '../paging.js';
import { formatTable } from '../table.js';

const page = pageOf(
  z.looseObject({
    definitionId: z.string(),
    version: z.number(),
    enabled: z.boolean(),
    steps: z.number(),
    publishedAt: z.string(),
    publishedBy: z.string(),
    description: z.string().nullable(),
  }),
);

export const listWorkflows = defineCommand({
  name: 'workflow list',
  summary: 'List the workflows of the workspace, each with the version that is in force',
  options: [...pageOptions],
  examples: [
    'throughline workflow list',
    'throughline workflow list --json | jq -r ".items[].definitionId"',
  ],
  input: pageInput,
  run: async ({ api, show }, query) => {
    const answer = await api.send({ path: 'workflows', query });
    show(answer, () => render(parseAnswer(page, answer)));
  },
});

function render({ items, nextCursor }: z.output<typeof page>): string {
  if (items.length === 0) return 'no workflows; "throughline workflow publish" adds one';
  const rows = items.map((item) => [
    item.definitionId,
    item.version,
    item.enabled ? 'enabled' : 'archived',
    item.steps,
    item.publishedAt,
    item.publishedBy,
    item.description,
  ]);
  const headings = ['WORKFLOW', 'VERSION', 'STATE', 'STEPS', 'PUBLISHED', 'BY', 'DESCRIPTION'];
  return withNext(formatTable(headings, rows), nextCursor);
}
