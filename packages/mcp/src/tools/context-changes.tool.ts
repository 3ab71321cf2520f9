import { z } from 'zod';

import { reading } from '../answers.js';
import { closingTokens, defaultTokens, fit } from '../budget.js';
import { audienceChoice, chosen, contextId, maxTokens } from '../parameters.js';
import { codeSpan, fenced, oneLine } from '../quoting.js';
import { defineTool, type Site } from '../site.js';
import { pathOf } from '../view.js';

type Change = Readonly<{ version: number; type: string; agentId: string; line: string }>;
type Changes = Readonly<{ from: number; to: number; items: Change[]; nextCursor: string | null }>;

const receiptStart = 'r1.';
const longestLine = 2_000;

export function contextChanges(site: Site) {
  const { client, principal, countTokens } = site;
  return defineTool({
    name: 'context_changes',
    description: 'What changed since a version, time or receipt.',
    readOnly: true,
    input: z.strictObject({
      contextId,
      since: z.coerce.string().min(1).max(4_096),
      maxTokens,
      ...audienceChoice(principal),
    }),
    run: async (
      { contextId: id, since, maxTokens: tokens = defaultTokens, ...given },
      { signal },
    ) => {
      const from = await positionOf(site, since, signal);
      const query = { since: from, audience: chosen(given, 'audience'), limit: 200 };
      const options = { query, signal };
      const { body } = await client.request<Changes>('GET', `${pathOf(id)}/changes`, options);
      const render = (units: number) => fenced(body.items.slice(0, units).map(lineOf).join('\n'));
      const size = body.items.length;
      const shown = await fit({ size, render }, tokens - closingTokens, countTokens);
      const text =
        size === 0 ? 'Nothing has changed.' : `Changes of ${codeSpan(id)}:\n${shown.text}`;
      const last = body.items[shown.taken - 1]?.version ?? body.from;
      const isAll = shown.taken === size && body.nextCursor === null;
      const next = isAll ? 'context_view' : `context_changes since ${last}`;
      return reading(text, { version: body.to, next });
    },
  });
}

async function positionOf({ client }: Site, since: string, signal: AbortSignal): Promise<string> {
  if (!since.startsWith(receiptStart)) return since;
  const path = `/v1/receipts/${encodeURIComponent(since)}`;
  const { body } = await client.request<{ version: number }>('GET', path, { signal });
  return String(body.version);
}

function lineOf({ version, type, agentId, line }: Change): string {
  return oneLine(`v${version} ${type} by ${agentId}: ${line}`, longestLine);
}
