import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { deadLetterSchema } from '../operations/dead-letter.js';
import { contextOption, pageInput, pageOf, pageOptions, withNext } from '../paging.js';
import { formatTable } from '../table.js';

const page = pageOf(deadLetterSchema);

export const listDeadLetters = defineCommand({
  name: 'dead-letter list',
  summary: 'List contexts quarantined because an event could not be applied to the read models',
  options: [contextOption, ['--type <type>', 'only events of this type'], ...pageOptions],
  examples: ['throughline dead-letter list', 'throughline dead-letter list --context checkout'],
  input: pageInput.extend({ context: z.string().optional(), type: z.string().optional() }),
  run: async ({ api, show }, { context: contextId, ...query }) => {
    const answer = await api.send({ path: 'dead-letters', query: { ...query, contextId } });
    show(answer, () => render(parseAnswer(page, answer)));
  },
});

function render({ items, nextCursor }: z.output<typeof page>): string {
  if (items.length === 0) return 'no dead letters: all events were applied';
  const rows = items.map((letter) => [
    letter.id,
    `${letter.workspace}/${letter.contextId}`,
    letter.version,
    letter.type,
    letter.attempts,
    letter.parkedAt,
    letter.error,
  ]);
  const headings = ['ID', 'CONTEXT', 'VERSION', 'TYPE', 'ATTEMPTS', 'SINCE', 'ERROR'];
  return withNext(formatTable(headings, rows), nextCursor);
}
