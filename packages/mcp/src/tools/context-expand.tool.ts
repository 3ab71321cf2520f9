import { z } from 'zod';

import { reading } from '../answers.js';
import { closingTokens, defaultTokens, fit } from '../budget.js';
import { audienceChoice, chosen, contextId, maxTokens } from '../parameters.js';
import { codeSpan, fenced } from '../quoting.js';
import { defineTool, type Site } from '../site.js';
import { pathOf } from '../view.js';

type Whole = Readonly<{ ref: string; version: number; text: string; tokens: number }>;
type Rollup = Readonly<{ items: readonly Whole[]; nextCursor: string | null }>;

export function contextExpand(site: Site) {
  const { client, principal } = site;
  return defineTool({
    name: 'context_expand',
    description: 'The original behind a ref.',
    readOnly: true,
    input: z.strictObject({
      contextId,
      ref: z.string().min(1).max(1_200),
      cursor: z.string().max(4_096).optional(),
      maxTokens,
      ...audienceChoice(principal),
    }),
    run: async (
      { contextId: id, ref, cursor, maxTokens: tokens = defaultTokens, ...given },
      { signal },
    ) => {
      const path = `${pathOf(id)}/items/${encodeURIComponent(ref)}`;
      const isPosition = cursor !== undefined && position.test(cursor);
      const query = {
        audience: chosen(given, 'audience'),
        cursor: isPosition ? undefined : cursor,
      };
      const { body } = await client.request<Whole | Rollup>('GET', path, {
        query,
        signal,
      });
      return 'items' in body
        ? rollup(site, body, tokens)
        : part(site, body, { from: isPosition ? Number(cursor?.slice(1)) : 0, tokens });
    },
  });
}

/** Where a long text goes on, in UTF-16 units. Cursors of the server are not written so. */
const position = /^@\d{1,9}$/;

/** The server's text is quoted as a whole; a part of it is quoted once more, as it may begin or end in a quotation. */
async function part(
  { countTokens }: Site,
  { text, version, tokens: whole }: Whole,
  { from, tokens }: Readonly<{ from: number; tokens: number }>,
) {
  const room = tokens - closingTokens;
  if (from === 0 && whole <= room) return reading(text, { version, next: 'context_view' });
  const rest = text.slice(from);
  const render = (units: number) => fenced(rest.slice(0, units));
  const shown = await fit({ size: rest.length, render }, room, countTokens);
  const end = from + shown.taken;
  const next =
    end < text.length && shown.taken > 0 ? `context_expand with cursor @${end}` : 'context_view';
  return reading(shown.text, { version, next });
}

async function rollup({ countTokens }: Site, { items, nextCursor }: Rollup, tokens: number) {
  const lines = items.map(({ ref, tokens: size }) => `- ${codeSpan(ref)} ${size} tokens`);
  const render = (units: number) => lines.slice(0, units).join('\n');
  const shown = await fit({ size: lines.length, render }, tokens - closingTokens, countTokens);
  const more = nextCursor === null ? '' : `; more with cursor ${nextCursor}`;
  return reading(shown.text, {
    version: items.at(-1)?.version,
    next: `context_expand one of these${more}`,
  });
}
