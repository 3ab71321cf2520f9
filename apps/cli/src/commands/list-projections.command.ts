import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { formatTable } from '../table.js';
import { printableLine } from '../printable.js';

const projection = z.looseObject({
  name: z.string(),
  state: z.string(),
  reason: z.string(),
  lagEvents: z.number().nullable(),
  lagSeconds: z.number(),
  deadLetters: z.number(),
  partitions: z.array(
    z.looseObject({
      partition: z.number(),
      position: z.string(),
      epoch: z.number(),
      owner: z.looseObject({ instance: z.string(), host: z.string(), pid: z.number() }).nullable(),
      failure: z.string().nullable(),
    }),
  ),
});

type Projection = z.output<typeof projection>;

export const listProjections = defineCommand({
  name: 'projection list',
  summary: 'List the read models with their lag and the owner of each partition',
  examples: [
    'throughline projection list',
    'throughline projection list --json | jq ".items[].lagEvents"',
  ],
  input: z.object({}),
  run: async ({ api, show }) => {
    const answer = await api.send({ path: 'projections' });
    show(answer, () =>
      render(parseAnswer(z.looseObject({ items: z.array(projection) }), answer).items),
    );
  },
});

function render(projections: readonly Projection[]): string {
  if (projections.length === 0) return 'no projections yet: no projector has run';
  const rows = projections.map(({ name, state, lagEvents, lagSeconds, deadLetters, reason }) => [
    name,
    state,
    lagEvents,
    `${lagSeconds} s`,
    deadLetters,
    reason,
  ]);
  const headings = ['PROJECTION', 'STATE', 'EVENTS BEHIND', 'FOR', 'DEAD LETTERS', 'REASON'];
  return [formatTable(headings, rows), ...projections.map(renderPartitions)].join('\n\n');
}

function renderPartitions({ partitions }: Projection): string {
  const rows = partitions.map(({ partition, position, epoch, owner, failure }) => [
    partition,
    position,
    epoch,
    owner && `${owner.host}/${owner.pid}`,
    owner?.instance,
    failure === null ? null : printableLine(failure),
  ]);
  return formatTable(['PARTITION', 'POSITION', 'EPOCH', 'PROCESS', 'INSTANCE', 'FAILURE'], rows);
}
