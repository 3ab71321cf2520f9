import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { pageInput, pageOf, pageOptions, withNext } from '../paging.js';
import { dataLine } from '../replay/event-data.js';
import { formatTable } from '../table.js';

const page = pageOf(
  z.looseObject({
    version: z.number(),
    type: z.string(),
    recordedAt: z.string(),
    principal: z.string(),
    data: z.unknown(),
  }),
);

export const listEvents = defineCommand({
  name: 'context events',
  summary: 'Show the events of a context as they are stored, oldest first',
  arguments: [['<context>', 'id of the context']],
  options: [
    ['--after <version>', 'only events after this version'],
    ['--types <types>', 'only these types, separated by commas'],
    ['--as-of <position>', 'up to a version, or a time with offset as RFC 3339'],
    ...pageOptions,
  ],
  examples: [
    'throughline context events demo',
    'throughline context events demo --after 12 --types DecisionRecorded,StepOutputAdded',
    'throughline context events demo --json | jq ".items[].hash"',
  ],
  input: pageInput.extend({
    context: z.string(),
    after: z.string().optional(),
    types: z.string().optional(),
    asOf: z.string().optional(),
  }),
  run: async ({ api, show }, { context, ...query }) => {
    const answer = await api.send({ path: path`contexts/${context}/events`, query });
    show(answer, () => render(parseAnswer(page, answer)));
  },
});

function render({ items, nextCursor }: z.output<typeof page>): string {
  if (items.length === 0) return 'no events';
  const rows = items.map(({ version, recordedAt, principal, type, data }) => [
    version,
    recordedAt,
    principal,
    type,
    dataLine(data),
  ]);
  const table = formatTable(['VERSION', 'RECORDED', 'BY', 'TYPE', 'DATA'], rows);
  return withNext(table, nextCursor);
}
