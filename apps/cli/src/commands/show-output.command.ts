import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { contextArgument } from '../declared/address.js';
import { asOfOption, audienceOption, defineRead } from '../declared/read-command.js';
import { pageOptions, withNext } from '../paging.js';
import { printable, printableLine } from '../printable.js';

const output = z.object({
  output: z.unknown(),
  version: z.number(),
  recordedAt: z.string(),
  recordedBy: z.string(),
});
const outputs = z.union([
  output.nullable(),
  z.object({ items: z.array(output), nextCursor: z.string().nullable() }),
]);

export const showOutput = defineRead({
  name: 'output show',
  summary: 'Show the latest output of a step, or all its outputs',
  path: 'contexts/{context}/step-outputs/{step}',
  arguments: [contextArgument, ['<step>', 'id of the step']],
  options: [
    ['--all', 'every output, oldest first, instead of the latest'],
    ['--wait <seconds>', 'wait for the first output, 60 seconds at most'],
    asOfOption,
    audienceOption,
    ...pageOptions,
  ],
  examples: [
    'throughline output show demo plan',
    'throughline output show demo plan --wait 60 --json | jq .output',
    'throughline output show demo plan --all',
  ],
  render: (answer, { step }) => {
    const result = parseAnswer(outputs, answer);
    if (result === null) return printableLine(`step ${String(step)} has no output`);
    if (!('items' in result)) return render(result);
    if (result.items.length === 0) return printableLine(`step ${String(step)} has no output`);
    return withNext(result.items.map(render).join('\n\n'), result.nextCursor);
  },
});

function render({
  version,
  recordedAt,
  recordedBy,
  output: value,
}: z.output<typeof output>): string {
  const head = printableLine(`version ${version} by ${recordedBy} at ${recordedAt}`);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return `${head}\n${printable(text).replaceAll(/^/gm, '  ')}`;
}
