import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';
import { printableLine } from '../printable.js';

const finding = z.looseObject({ input: z.string(), path: z.string(), detail: z.string() });
const found = z.looseObject({
  ok: z.boolean(),
  missing: z.array(finding),
  failed: z.array(finding),
  checkedVersion: z.number(),
});

export const checkAgent = defineWrite({
  name: 'agent check',
  summary: 'Check whether the inputs of an agent are there and meet its contract',
  path: 'contexts/{context}/agents/{agentId}/check',
  arguments: [contextArgument, ['<agentId>', 'id of the agent']],
  done: 'checked {agentId}',
  render: (answer, { agentId }) => {
    const { ok, missing, failed, checkedVersion } = parseAnswer(found, answer);
    const verdict = ok ? 'has what it needs' : 'does not have what it needs';
    return [
      `${String(agentId)} ${verdict} at version ${checkedVersion}`,
      ...missing.map(({ input, path, detail }) => `missing  ${input} (${path}): ${detail}`),
      ...failed.map(({ input, path, detail }) => `failed   ${input} (${path}): ${detail}`),
    ]
      .map(printableLine)
      .join('\n');
  },
  examples: [
    'throughline agent check demo pm',
    'throughline agent check demo pm --json | jq -e .ok',
  ],
});
