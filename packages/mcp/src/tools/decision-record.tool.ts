import { z } from 'zod';

import { writing } from '../answers.js';
import { agentChoice, basis, chosen, contextId, jsonOf, jsonText, share } from '../parameters.js';
import { authorOf } from '../principal.js';
import { defineTool, type Site } from '../tool-context.js';
import { pathOf } from '../view.js';
import { requestOf, type WriteAnswer } from '../write-request.js';

type Recorded = WriteAnswer & Readonly<{ decisionId?: string; status?: string }>;
type Decision = Readonly<{ decisionId: string; stale?: boolean }>;

/** Where a person decides; the agent's own client has no part in it. */
export const whereApproved = 'a person decides: `throughline approval list`';

const decisionFields = {
  contextId,
  topic: z.string().min(1).max(512),
  decision: z.string().min(1),
  rationale: z.string().optional(),
  alternatives: jsonText,
  confidence: share.optional(),
  supersedes: z.string().max(512).optional(),
};

export function decisionRecord({ client, principal }: Site) {
  return defineTool({
    name: 'decision_record',
    description: 'Record a decision. One per topic is live: supersedes names the one it replaces.',
    input: z.strictObject({ ...decisionFields, ...basis, ...agentChoice(principal) }),
    run: async (
      { contextId: id, topic, decision, rationale, confidence, supersedes, ...given },
      { signal },
    ) => {
      const alternativesConsidered = jsonOf(given.alternatives, ['alternatives']);
      const path = `${pathOf(id)}/decisions`;
      const { body } = await client.request<Recorded>('POST', path, {
        ...requestOf(given, signal),
        body: {
          topic,
          decision,
          rationale,
          confidence,
          supersedes,
          alternativesConsidered,
          ...authorOf(principal, chosen(given, 'agent')),
        },
      });
      const { decisionId, version } = body;
      const status = body.status === 'pending' ? 'awaiting-approval' : (body.status ?? 'recorded');
      const staleIds = await findStale(client, path, signal);
      const facts = { decisionId, status, staleIds: staleIds?.length ? staleIds : undefined };
      const next = staleIds ? 'context_changes' : 'stored; context_view shows what is stale now';
      return writing({
        version,
        facts,
        next: status === 'awaiting-approval' ? whereApproved : next,
      });
    },
  });
}

/** Ids are free text of others, which must not stand in an answer unquoted. */
const plainId = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Which decisions are stale now, as far as the key sees them. Undefined if that cannot be read, or not be shown: the decision is stored
 * in any case, and its author must not take it for refused.
 */
async function findStale(
  client: Site['client'],
  path: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const options = { query: { limit: 500 }, maxRetries: 0, signal };
    const { body } = await client.request<{ items: Decision[] }>('GET', path, options);
    const ids = body.items.filter(({ stale }) => stale).map(({ decisionId }) => decisionId);
    return ids.every((id) => plainId.test(id)) ? ids : undefined;
  } catch {
    return undefined;
  }
}
