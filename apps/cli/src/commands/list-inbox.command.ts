import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { UsageError } from '../cli-error.js';
import { type CliCommand } from '../command.js';
import { parseOptionValues } from '../declared/address.js';
import { defineList } from '../declared/read-command.js';
import { contextOption } from '../paging.js';
import { type Session } from '../session.js';

const listCommand = defineList({
  name: 'inbox',
  summary: 'List the open work of an agent in all contexts, the most urgent first',
  path: 'agents/{agent}/inbox',
  arguments: [['[agent]', 'id of the agent (default: the agent of the key)']],
  options: [contextOption],
  columns: [
    ['PRIORITY', 'priority'],
    ['KIND', 'kind'],
    ['CONTEXT', 'contextId'],
    ['ID', 'entry.handoverId|entry.inputRequestId|entry.decisionId|entry.subject'],
    ['BY', 'entry.agentId'],
    ['WHAT', 'entry.note|entry.path|entry.decision|title'],
  ],
  empty: 'the inbox is empty',
  examples: [
    'throughline inbox',
    'throughline inbox reviewer',
    'throughline inbox reviewer --context checkout',
    'throughline inbox reviewer --json | jq ".items[].entry"',
  ],
});

const me = z.looseObject({ agentId: z.string().nullish() });

export const listInbox: CliCommand = {
  ...listCommand,
  run: async (session, values) => {
    const {
      agent = await ownAgent(session),
      context: contextId,
      ...page
    } = parseOptionValues(values);
    await listCommand.run(session, { ...page, agent, contextId });
  },
};

async function ownAgent({ api }: Session): Promise<string> {
  const { agentId } = parseAnswer(me, await api.send({ path: 'me' }));
  if (agentId) return agentId;
  throw new UsageError('this key belongs to no agent: name one', 'throughline inbox <agent>');
}
