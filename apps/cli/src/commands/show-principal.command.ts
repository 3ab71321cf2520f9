import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { printableLine } from '../printable.js';

const me = z.record(z.string(), z.unknown());

export const showPrincipal = defineCommand({
  name: 'me',
  summary: 'Show the principal of the key and its permissions',
  examples: ['throughline me', 'THROUGHLINE_KEY=tl_... throughline me --json'],
  input: z.object({}),
  run: async ({ api, show }) => {
    const answer = await api.send({ path: 'me' });
    show(answer, () =>
      Object.entries(parseAnswer(me, answer))
        .map(([name, value]) => `${name.padEnd(12)} ${printableLine(textOf(value))}`)
        .join('\n'),
    );
  },
});

function textOf(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.map(String).join(', ') || '-';
  return String(value);
}
