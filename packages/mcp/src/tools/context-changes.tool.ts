import { z } from 'zod';

import { reading } from '../answers.js';
import { closingTokens, defaultTokens, fit } from '../budget.js';
import { beginningOf } from '../fitting-page.js';
import { audienceChoice, optionalText, contextId, maxTokens } from '../parameters.js';
import { codeSpan, fenced, oneLine } from '../quoting.js';
import { defineTool, type ToolContext } from '../tool-context.js';
import { pathOf } from '../view.js';

type Change = Readonly<{ version: number; type: string; agentId: string; line: string }>;
type Changes = Readonly<{ from: number; to: number; items: Change[]; nextCursor: string | null }>;

/** A version may be given as a number. */
const position = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.string().min(1).max(4_096),
);

const receiptStart = 'r1.';
const longestLine = 2_000;
/** Tokens for the heading with a name of 128 characters. */
const headTokens = 150;

export function contextChanges(toolContext: ToolContext) {
  const { client, principal, countTokens } = toolContext;
  return defineTool({
    name: 'context_changes',
    description: 'What changed since a version, time or receipt.',
    readOnly: true,
    input: z.strictObject({
      contextId,
      since: position,
      maxTokens,
      ...audienceChoice(principal),
    }),
    run: async (
      { contextId: id, since, maxTokens: tokens = defaultTokens, ...given },
      { signal },
    ) => {
      const from = await positionOf(toolContext, { contextId: id, since, signal });
      const query = { since: from, audience: optionalText(given, 'audience'), limit: 200 };
      const options = { query, signal };
      const { body } = await client.request<Changes>('GET', `${pathOf(id)}/changes`, options);
      const size = body.items.length;
      if (size === 0)
        return reading('Nothing has changed.', { version: body.to, next: 'context_view' });
      const room = tokens - closingTokens;
      const lines = body.items.map(lineOf);
      const render = (units: number) => headed(id, fenced(lines.slice(0, units).join('\n')));
      const shown = await fit({ size, render }, room, countTokens);
      // A change that is too long is cut, so that the changes after it can be read.
      const taken = Math.max(1, shown.taken);
      const text =
        shown.text || headed(id, await beginningOf(lines[0] ?? '', room - headTokens, countTokens));
      const isAll = taken === size && body.nextCursor === null;
      const next = isAll
        ? 'context_view'
        : `context_changes since ${body.items[taken - 1]?.version}`;
      return reading(text, { version: body.to, next });
    },
  });
}

function headed(contextId: string, text: string): string {
  return `Changes of ${codeSpan(contextId)}:\n${text}`;
}

type Position = Readonly<{ contextId: string; since: string; signal: AbortSignal }>;

/** Refuses the receipt of another context, because its version has no meaning in this one. */
async function positionOf(
  { client }: ToolContext,
  { contextId: id, since, signal }: Position,
): Promise<string> {
  if (!since.startsWith(receiptStart)) return since;
  const path = `/v1/receipts/${encodeURIComponent(since)}`;
  const { body } = await client.request<Receipt>('GET', path, { signal });
  if (body.contextId === id) return String(body.version);
  const message = 'is a receipt of another context';
  throw new z.ZodError([{ code: 'custom', path: ['since'], message, input: since }]);
}

type Receipt = Readonly<{ contextId: string; version: number }>;

function lineOf({ version, type, agentId, line }: Change): string {
  return oneLine(`v${version} ${type} by ${agentId}: ${line}`, longestLine);
}
