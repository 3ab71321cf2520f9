import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { pageInput, pageOf, pageOptions, withNext } from '../paging.js';
import { formatTable } from '../table.js';

const waiting = z.looseObject({
  kind: z.string(),
  agent: z.string().nullish(),
  path: z.string().nullish(),
  stepId: z.string(),
  since: z.string().nullish(),
});

const page = pageOf(
  z.looseObject({
    contextId: z.string(),
    definition: z.looseObject({ definitionId: z.string(), version: z.number() }),
    status: z.string(),
    startedAt: z.string(),
    endedAt: z.string().nullish(),
    waitsFor: z.array(waiting).default([]),
  }),
);

type Waiting = z.output<typeof waiting>;

export const listRuns = defineCommand({
  name: 'run list',
  summary:
    'List runs with the agents and people they wait for; runs that wait for a person come first',
  options: [
    ['--state <state>', 'active, ended, or a state as the list shows it'],
    ['--definition <workflow>', 'only runs of this workflow'],
    ...pageOptions,
  ],
  examples: [
    'throughline run list',
    'throughline run list --state failed --definition feature-development',
  ],
  input: pageInput.extend({ state: z.string().optional(), definition: z.string().optional() }),
  run: async ({ api, show }, query) => {
    const answer = await api.send({ path: 'runs', query });
    show(answer, () => render(parseAnswer(page, answer)));
  },
});

function render({ items, nextCursor }: z.output<typeof page>): string {
  if (items.length === 0) return 'no runs; "throughline run <workflow>" starts one';
  const rows = items.map(({ contextId, definition, status, startedAt, endedAt, waitsFor }) => [
    contextId,
    `${definition.definitionId}@${definition.version}`,
    status,
    startedAt,
    endedAt,
    waitsFor.map(describe).join(', ') || null,
    waitsFor[0]?.since,
  ]);
  const headings = ['CONTEXT', 'WORKFLOW', 'STATE', 'STARTED', 'ENDED', 'WAITS FOR', 'SINCE'];
  return withNext(formatTable(headings, rows), nextCursor);
}

function describe({ kind, agent, path, stepId }: Waiting): string {
  return `${kind === 'person' ? 'a person' : (agent ?? 'an agent')} (${path ?? stepId})`;
}
