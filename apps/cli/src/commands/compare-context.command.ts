import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { sendForAllPages } from '../replay/all-pages.js';
import { changedParts, difference } from '../replay/difference.js';
import { paintFor } from '../replay/paint.js';
import { renderParts } from '../replay/render-parts.js';

const compared = difference.extend({ from: z.number(), to: z.number() });

export const compareContext = defineCommand({
  name: 'diff',
  summary: 'Show the difference between two positions of a context',
  arguments: [
    ['<context>', 'id of the context'],
    ['<from>', 'a version (0 is before the first), or a time with offset as RFC 3339'],
    ['[to]', 'the same (default: now)'],
  ],
  options: [['--whole', 'do not shorten long parts']],
  examples: [
    'throughline diff demo 4 7',
    'throughline diff demo 2026-03-01T12:00:00Z',
    'throughline diff demo 4 7 --json | jq .decisionsSuperseded',
  ],
  input: z.object({
    context: z.string(),
    from: z.string(),
    to: z.string().optional(),
    whole: z.boolean().default(false),
  }),
  run: async ({ api, show, terminal }, { context, from, to, whole }) => {
    const request = { path: path`contexts/${context}/diff`, query: { from, to } };
    const answer = await sendForAllPages(api, request);
    show(answer, () => {
      const found = parseAnswer(compared, answer);
      const parts = changedParts(found);
      const title = `${context}  version ${found.from} to ${found.to}`;
      return parts.length === 0
        ? `${title}: no difference`
        : `${title}\n\n${renderParts(parts, { paint: paintFor(terminal), whole })}`;
    });
  },
});
