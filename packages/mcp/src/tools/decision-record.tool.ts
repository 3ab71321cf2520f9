import { z } from 'zod';

import { writing } from '../answers.js';
import { agentChoice, basis, chosen, contextId, jsonOf, jsonText } from '../parameters.js';
import { authorOf } from '../principal.js';
import { defineTool, type Site } from '../site.js';
import { pathOf } from '../view.js';
import { requestOf, type WriteAnswer } from '../write-request.js';

type Decision = Readonly<{ decisionId: string; status?: string; stale?: boolean }>;

/** Where a person decides; the agent's own client has no part in it. */
export const whereApproved = 'a person decides: `throughline approval list`';

export function decisionRecord({ client, principal }: Site) {
  return defineTool({
    name: 'decision_record',
    description: 'Record a decision. One per topic is live: supersedes names the one it replaces.',
    input: z.strictObject({
      contextId,
      topic: z.string().min(1).max(512),
      decision: z.string().min(1),
      rationale: z.string().optional(),
      alternatives: jsonText,
      confidence: z.coerce.number().min(0).max(1).optional(),
      supersedes: z.string().max(512).optional(),
      ...basis,
      ...agentChoice(principal),
    }),
    run: async (
      { contextId: id, topic, decision, rationale, confidence, supersedes, ...given },
      { signal },
    ) => {
      const alternativesConsidered = jsonOf(given.alternatives);
      const path = `${pathOf(id)}/decisions`;
      const { body } = await client.request<WriteAnswer & { decisionId?: string }>('POST', path, {
        ...requestOf(given, signal),
        body: {
          ...{ topic, decision, rationale, confidence, supersedes, alternativesConsidered },
          ...authorOf(principal, chosen(given, 'agent')),
        },
      });
      const facts = await standing(client, { path, decisionId: body.decisionId, signal });
      const isWaiting = facts.status === 'awaiting-approval';
      const next = isWaiting ? whereApproved : 'context_changes';
      return writing({ version: body.version, facts, next });
    },
  });
}

/** What has become of the decision, and which ones are stale now, as far as the key sees them. */
async function standing(
  client: Site['client'],
  {
    path,
    decisionId,
    signal,
  }: Readonly<{ path: string; decisionId: string | undefined; signal: AbortSignal }>,
) {
  const query = { limit: 500 };
  const { body } = await client.request<{ items: Decision[] }>('GET', path, { query, signal });
  const status = body.items.find((item) => item.decisionId === decisionId)?.status ?? 'recorded';
  const staleIds = body.items.filter(({ stale }) => stale).map((item) => item.decisionId);
  return {
    decisionId,
    status: status === 'pending' ? 'awaiting-approval' : status,
    staleIds: staleIds.length > 0 ? staleIds : undefined,
  };
}
