import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { CliError } from '../cli-error.js';
import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';
import { printableLine } from '../printable.js';

const finding = z.looseObject({ input: z.string(), path: z.string(), detail: z.string() });
const checkResult = z.looseObject({
  ok: z.boolean(),
  missing: z.array(finding),
  failed: z.array(finding),
  checkedVersion: z.number(),
});

export const checkAgent = defineWrite({
  name: 'agent check',
  summary: 'Check whether an agent has the inputs that its contract requires; exit code 1 if not',
  path: 'contexts/{context}/agents/{agentId}/check',
  arguments: [contextArgument, ['<agentId>', 'id of the agent']],
  done: 'checked {agentId}',
  render: (answer, { agentId }) => {
    const { ok, missing, failed, checkedVersion } = parseAnswer(checkResult, answer);
    const verdict = ok
      ? 'has all required inputs'
      : `${missing.length} missing, ${failed.length} failed`;
    return [
      `${String(agentId)} at version ${checkedVersion}: ${verdict}`,
      ...missing.map(({ input, path, detail }) => `missing  ${input} (${path}): ${detail}`),
      ...failed.map(({ input, path, detail }) => `failed   ${input} (${path}): ${detail}`),
    ]
      .map(printableLine)
      .join('\n');
  },
  requireSuccess: (answer, { agentId }) => {
    if (!parseAnswer(checkResult, answer).ok)
      throw new CliError(`${String(agentId)} lacks required inputs`);
  },
  examples: [
    'throughline agent check demo pm',
    'throughline agent check demo pm --json | jq -r ".missing[].path"',
  ],
});
