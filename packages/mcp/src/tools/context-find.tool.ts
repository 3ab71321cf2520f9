import { z } from 'zod';

import { reading } from '../answers.js';
import { closingTokens, defaultTokens } from '../budget.js';
import { fittingPage } from '../fitting-page.js';
import { wholeNumber } from '../parameters.js';
import { codeSpan } from '../quoting.js';
import { defineTool, type ToolContext } from '../tool-context.js';

type ListedContext = Readonly<{
  contextId: string;
  title?: string | null;
  status?: string;
  size?: Readonly<{ events?: number; tokens?: number }>;
}>;

type Page = Readonly<{ items: readonly ListedContext[]; nextCursor: string | null }>;

export function contextFind({ client, countTokens }: ToolContext) {
  return defineTool({
    name: 'context_find',
    description: 'Find contexts, newest first.',
    readOnly: true,
    input: z.strictObject({
      query: z.string().max(500).optional().describe('words'),
      status: z.enum(['open', 'closed']).optional(),
      limit: wholeNumber(1, 20).optional(),
      cursor: z.string().max(4_096).optional(),
    }),
    run: async ({ query, status, limit = 20, cursor }, { signal }) => {
      const { page, text } = await fittingPage(
        {
          read: async (maxItems) => {
            const options = { query: { q: query, status, limit: maxItems, cursor }, signal };
            return (await client.request<Page>('GET', '/v1/contexts', options)).body;
          },
          limit,
          render: (items) => items.map(lineOf).join('\n'),
        },
        defaultTokens - closingTokens,
        countTokens,
      );
      return reading(text || nothingOn(page), { next: nextOf(page) });
    },
  });
}

function lineOf({ contextId, title, status, size }: ListedContext): string {
  const facts = [
    status,
    size?.events && `version ${size.events}`,
    size?.tokens && `${size.tokens} tokens`,
  ];
  const details = facts.filter(Boolean).join(', ');
  return `- ${codeSpan(contextId)} ${details}${title ? `: ${codeSpan(title, 120)}` : ''}`;
}

function nothingOn({ nextCursor }: Page): string {
  return nextCursor === null ? 'No context matches.' : 'No context of this page matches.';
}

function nextOf({ items, nextCursor }: Page): string {
  if (nextCursor !== null) return `context_find with cursor ${nextCursor}, or context_view`;
  return items.length === 0 ? 'context_append with create creates one' : 'context_view';
}
