import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';

const created = z.looseObject({ keyId: z.string(), secret: z.string(), workspace: z.string() });

export const createKey = defineCommand({
  name: 'key create',
  summary: 'Create a key; its secret is shown only once',
  options: [
    ['--role <role>', 'agent (default), operator, auditor or admin'],
    ['--agent <agent>', 'the agent it belongs to'],
    ['--acts-for <agent...>', 'other agents it may write for'],
    ['--audience <name...>', 'audiences it may read as (default all)'],
    ['--context <context...>', 'only these contexts'],
    ['--workflow <definition...>', 'only contexts of these workflows'],
    ['--expires-at <time>', 'expiry time as RFC 3339'],
  ],
  examples: [
    'throughline key create --agent architect',
    'throughline key create --role auditor --expires-at 2027-01-01T00:00:00Z',
    'export THROUGHLINE_KEY=$(throughline key create --agent builder --json | jq -r .secret)',
    'throughline key create --workspace team-two --role admin',
  ],
  input: z.object({
    role: z.string().default('agent'),
    agent: z.string().optional(),
    actsFor: z.array(z.string()).optional(),
    audience: z.array(z.string()).optional(),
    context: z.array(z.string()).optional(),
    workflow: z.array(z.string()).optional(),
    expiresAt: z.string().optional(),
  }),
  run: async ({ api, show }, { role, agent, actsFor, audience, context, workflow, expiresAt }) => {
    const answer = await api.send({
      method: 'POST',
      path: 'keys',
      body: JSON.stringify({
        role,
        agentId: agent,
        actsFor,
        audiences: audience,
        contexts: context,
        workflows: workflow,
        expiresAt,
      }),
    });
    show(answer, () => {
      const { keyId, secret, workspace } = parseAnswer(created, answer);
      return `key ${keyId} of workspace ${workspace}\n${secret}\nStore the secret: it is not shown again.`;
    });
  },
});
