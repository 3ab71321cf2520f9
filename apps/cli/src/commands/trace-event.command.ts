import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { drawTrace } from '../replay/trace-tree.js';

const maybe = z.string().nullish();
const trace = z.looseObject({
  nodes: z.array(
    z.looseObject({
      eventId: z.string(),
      relation: z.string(),
      contextId: z.string(),
      version: z.number(),
      type: maybe,
      recordedAt: maybe,
      agentId: maybe,
      causationId: z.string().nullable(),
      line: maybe,
    }),
  ),
  truncated: z.boolean(),
});

export const traceEvent = defineCommand({
  name: 'trace',
  summary: 'Draw the causes and effects of an event, and the other events of its correlation',
  arguments: [['<eventId>', 'id of the event; "throughline context events --json" shows them']],
  examples: [
    'throughline trace 0198c2f0-5a3e-7c5d-9b1e-2f6a0c4d8e11',
    'throughline trace 0198c2f0-5a3e-7c5d-9b1e-2f6a0c4d8e11 --json | jq ".nodes[].contextId"',
  ],
  input: z.object({ eventId: z.string() }),
  run: async ({ api, show }, { eventId }) => {
    const answer = await api.send({ path: path`events/${eventId}/trace` });
    show(answer, () => {
      const { nodes, truncated } = parseAnswer(trace, answer);
      const more = truncated ? ['only the first 1,000 events are shown'] : [];
      return [...drawTrace(nodes), ...more].join('\n');
    });
  },
});
