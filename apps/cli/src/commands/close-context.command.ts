import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { writeAnswer, writeHeaders, writeInput, writeOptions } from '../write-answer.js';

const closed = writeAnswer.extend({
  open: z.array(z.object({ ref: z.string() })).nullable(),
  openTotal: z.number().optional(),
});

export const closeContext = defineCommand({
  name: 'context close',
  summary: 'Close a context, and list its open items',
  arguments: [['<context>', 'id of the context']],
  options: [
    ['--outcome <outcome>', 'completed, failed, cancelled or skipped'],
    ['--reason <reason>', 'the reason'],
    ...writeOptions,
  ],
  examples: [
    'throughline context close demo --outcome completed',
    'throughline context close demo --outcome failed --reason "the vendor has closed"',
  ],
  input: writeInput.extend({
    context: z.string(),
    outcome: z.string().optional(),
    reason: z.string().optional(),
  }),
  run: async ({ api, show }, given) => {
    const { context, outcome, reason, visibility, agent: agentId } = given;
    const answer = await api.send({
      method: 'POST',
      path: path`contexts/${context}/close`,
      body: JSON.stringify({ outcome, reason, visibility, agentId }),
      headers: writeHeaders(given),
    });
    show(answer, () => lines(context, parseAnswer(closed, answer)));
  },
});

function lines(
  context: string,
  { events, version, open, openTotal }: z.output<typeof closed>,
): string {
  const how = events.length > 0 ? 'closed' : 'was closed already';
  const rest = openTotal === undefined ? [] : [`… ${openTotal} in total`];
  return [
    `${context} ${how} (version ${version})`,
    ...(open?.map(({ ref }) => `still open: ${ref}`) ?? ['the open items could not be read']),
    ...rest,
  ].join('\n');
}
