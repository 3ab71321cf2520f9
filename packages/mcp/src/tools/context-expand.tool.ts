import { z } from 'zod';

import { reading } from '../answers.js';
import { closingTokens, defaultTokens, fit } from '../budget.js';
import { audienceChoice, chosen, contextId, maxTokens, segment } from '../parameters.js';
import { fittingPage } from '../fitting-page.js';
import { codeSpan, fenced } from '../quoting.js';
import { defineTool, type Site } from '../tool-context.js';
import { pathOf } from '../view.js';

type Whole = Readonly<{ ref: string; version: number; text: string; tokens: number }>;
type Rollup = Readonly<{ items: readonly Whole[]; nextCursor: string | null }>;

const usualLimit = 100;

export function contextExpand(site: Site) {
  const { client, principal } = site;
  return defineTool({
    name: 'context_expand',
    description: 'The original behind a ref.',
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
        audience: chosen(given, 'audience'),
        cursor: isPosition ? undefined : cursor,
      };
      const read = async (limit: number) => {
        const options = { query: { ...query, limit }, signal };
        return (await client.request<Whole | Rollup>('GET', path, options)).body;
      };
      const found = await read(usualLimit);
      return 'items' in found
        ? rollup(site, { found, read }, tokens)
        : part(site, found, { from: isPosition ? Number(cursor.slice(1)) : 0, tokens });
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
  const render = (units: number) => fenced(rest.slice(0, wholeUnits(rest, units)));
  const shown = await fit({ size: rest.length, render }, room, countTokens);
  const end = from + wholeUnits(rest, shown.taken);
  const next =
    end < text.length && shown.taken > 0 ? `context_expand with cursor @${end}` : 'context_view';
  return reading(shown.text, { version, next });
}

/** The same number of UTF-16 units, or one less where it would split a character. */
function wholeUnits(text: string, units: number): number {
  const isSplit = /[\ud800-\udbff]$/.test(text.slice(0, units)) && units < text.length;
  return isSplit ? units - 1 : units;
}

async function rollup(
  { countTokens }: Site,
  { found, read }: Readonly<{ found: Rollup; read: (limit: number) => Promise<Whole | Rollup> }>,
  tokens: number,
) {
  let known: Rollup | undefined = found;
  const { page, text } = await fittingPage(
    {
      read: async (limit) => {
        const next = known ?? (await read(limit));
        known = undefined;
        // A ref stands for the same, whatever the limit is.
        return 'items' in next ? next : { items: [next], nextCursor: null };
      },
      limit: usualLimit,
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
