import { z } from 'zod';

import { reading } from '../answers.js';
import { closingTokens, defaultTokens, fit } from '../budget.js';
import { audienceChoice, optionalText, contextId, maxTokens, segment } from '../parameters.js';
import { fittingPage } from '../fitting-page.js';
import { codeSpan, fenced } from '../quoting.js';
import { defineTool, type ToolContext } from '../tool-context.js';
import { pathOf } from '../view.js';

type Original = Readonly<{ ref: string; version: number; text: string; tokens: number }>;
type Rollup = Readonly<{ items: readonly Original[]; nextCursor: string | null }>;

const defaultLimit = 100;

export function contextExpand(toolContext: ToolContext) {
  const { client, principal } = toolContext;
  return defineTool({
    name: 'context_expand',
    description: 'The original text of a ref.',
    readOnly: true,
    input: z.strictObject({
      contextId,
      ref: segment(1_200),
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
        audience: optionalText(given, 'audience'),
        cursor: isPosition ? undefined : cursor,
      };
      const read = async (limit: number) => {
        const options = { query: { ...query, limit }, signal };
        return (await client.request<Original | Rollup>('GET', path, options)).body;
      };
      const original = await read(defaultLimit);
      return 'items' in original
        ? rollup(toolContext, { original, read }, tokens)
        : part(toolContext, original, { from: isPosition ? Number(cursor.slice(1)) : 0, tokens });
    },
  });
}

/** A position in a long text, in UTF-16 units. Cursors of the server have another form. */
const position = /^@\d{1,9}$/;

/** The server quotes the complete text. A part is quoted once more, because it may begin or end within a quotation. */
async function part(
  { countTokens }: ToolContext,
  { text, version, tokens: total }: Original,
  { from, tokens }: Readonly<{ from: number; tokens: number }>,
) {
  const room = tokens - closingTokens;
  if (from === 0 && total <= room) return reading(text, { version, next: 'context_view' });
  const rest = text.slice(from);
  const render = (units: number) => fenced(rest.slice(0, wholeUnits(rest, units)));
  const shown = await fit({ size: rest.length, render }, room, countTokens);
  const end = from + wholeUnits(rest, shown.taken);
  const next =
    end < text.length && shown.taken > 0 ? `context_expand with cursor @${end}` : 'context_view';
  return reading(shown.text, { version, next });
}

/** Returns the number of UTF-16 units, or one less if it would split a character. */
function wholeUnits(text: string, units: number): number {
  const isSplit = /[\ud800-\udbff]$/.test(text.slice(0, units)) && units < text.length;
  return isSplit ? units - 1 : units;
}

async function rollup(
  { countTokens }: ToolContext,
  {
    original,
    read,
  }: Readonly<{ original: Rollup; read: (limit: number) => Promise<Original | Rollup> }>,
  tokens: number,
) {
  let firstPage: Rollup | undefined = original;
  const { page, text } = await fittingPage(
    {
      read: async (limit) => {
        const next = firstPage ?? (await read(limit));
        firstPage = undefined;
        // The kind of a ref does not depend on the limit.
        return 'items' in next ? next : { items: [next], nextCursor: null };
      },
      limit: defaultLimit,
      render: (items) =>
        items.map(({ ref, tokens: size }) => `- ${codeSpan(ref)} ${size} tokens`).join('\n'),
    },
    tokens - closingTokens,
    countTokens,
  );
  const more = page.nextCursor === null ? '' : `; more with cursor ${page.nextCursor}`;
  return reading(text, {
    version: page.items.at(-1)?.version,
    next: `context_expand one of these${more}`,
  });
}
