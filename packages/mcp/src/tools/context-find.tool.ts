import { z } from 'zod';

import { reading } from '../answers.js';
import { defaultTokens, closingTokens, fit } from '../budget.js';
import { codeSpan } from '../quoting.js';
import { defineTool, type Site } from '../site.js';

type Listed = Readonly<{
  contextId: string;
  title?: string | null;
  status?: string;
  size?: Readonly<{ events?: number; tokens?: number }>;
}>;

export function contextFind({ client, countTokens }: Site) {
  return defineTool({
    name: 'context_find',
    description: 'Find contexts, newest first.',
    readOnly: true,
    input: z.strictObject({
      query: z.string().max(500).optional().describe('words'),
      status: z.enum(['open', 'closed']).optional(),
      limit: z.coerce.number().int().min(1).max(20).optional(),
      cursor: z.string().max(4_096).optional(),
    }),
    run: async ({ query, status, limit = 20, cursor }, { signal }) => {
      const { body } = await client.request<{ items: Listed[]; nextCursor: string | null }>(
        'GET',
        '/v1/contexts',
        { query: { q: query, status, limit, cursor }, signal },
      );
      const lines = body.items.map(lineOf);
      const render = (units: number) => lines.slice(0, units).join('\n');
      const shown = await fit(
        { size: lines.length, render },
        defaultTokens - closingTokens,
        countTokens,
      );
      const text = lines.length === 0 ? 'No context matches.' : shown.text;
      return reading(text, { next: nextOf(body) });
    },
  });
}

function lineOf({ contextId, title, status, size }: Listed): string {
  const facts = [
    status,
    size?.events && `version ${size.events}`,
    size?.tokens && `${size.tokens} tokens`,
  ];
  const said = facts.filter(Boolean).join(', ');
  return `- ${codeSpan(contextId)} ${said}${title ? `: ${codeSpan(title, 120)}` : ''}`;
}

function nextOf({
  items,
  nextCursor,
}: Readonly<{ items: readonly Listed[]; nextCursor: string | null }>) {
  if (nextCursor !== null && nextCursor.length < 500)
    return `context_find with cursor ${nextCursor}, or context_view`;
  return items.length === 0 ? 'context_append with create makes one' : 'context_view';
}
