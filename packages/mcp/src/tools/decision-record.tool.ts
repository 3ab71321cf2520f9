import { z } from 'zod';

import { writing } from '../answers.js';
import {
  agentChoice,
  basis,
  optionalText,
  contextId,
  jsonOf,
  jsonText,
  share,
} from '../parameters.js';
import { authorOf } from '../principal.js';
import { defineTool, type ToolContext } from '../tool-context.js';
import { pathOf } from '../view.js';
import { requestOf, type WriteAnswer } from '../write-request.js';

type DecisionAnswer = WriteAnswer & Readonly<{ decisionId?: string; status?: string }>;
type Decision = Readonly<{ decisionId: string; stale?: boolean }>;

/** How a person decides; the client of the agent cannot approve. */
export const approvalHint = 'a person decides: `throughline approval list`';

const decisionFields = {
  contextId,
  topic: z.string().min(1).max(512),
  decision: z.string().min(1),
  rationale: z.string().optional(),
  alternatives: jsonText,
  confidence: share.optional(),
  supersedes: z.string().max(512).optional(),
};

export function decisionRecord({ client, principal }: ToolContext) {
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
      const { body } = await client.request<DecisionAnswer>('POST', path, {
        ...requestOf(given, signal),
        body: {
          topic,
          decision,
          rationale,
          confidence,
          supersedes,
          alternativesConsidered,
          ...authorOf(principal, optionalText(given, 'agent')),
        },
      });
      const { decisionId, version } = body;
      const status = body.status === 'pending' ? 'awaiting-approval' : (body.status ?? 'recorded');
      const staleIds = await findStale(client, path, signal);
      const facts = { decisionId, status, staleIds: staleIds?.length ? staleIds : undefined };
      const next = staleIds ? 'context_changes' : 'stored; context_view shows the stale decisions';
      return writing({
        version,
        facts,
        next: status === 'awaiting-approval' ? approvalHint : next,
      });
    },
  });
}

/** Ids that need no quotation. Other ids are untrusted text, which must not be in an answer without quotation. */
const plainId = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Returns the ids of the stale decisions that the key sees. Undefined if they cannot be read or need quotation: the decision is
 * stored in any case, so that this must not fail.
 */
async function findStale(
  client: ToolContext['client'],
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
