import { type Closing } from './answers.js';
import { closingTokens, defaultTokens } from './budget.js';
import { fittingPage } from './fitting-page.js';
import { fenced } from './quoting.js';
import { type Site } from './site.js';
import { pathOf } from './view.js';

type Decision = Readonly<{
  decisionId: string;
  topic?: string;
  decision: string;
  rationale?: string;
}>;
type Page = Readonly<{ items: readonly Decision[]; nextCursor: string | null; version: number }>;

const mostItems = 500;

/**
 * Live decisions, from `cursor` on. `compared` changes with any of them, also with those that the text has no room for; behind
 * the first 500 with none.
 */
export async function readDecisions(
  { client, countTokens }: Site,
  { contextId, cursor }: Readonly<{ contextId: string; cursor?: string | undefined }>,
  signal: AbortSignal,
): Promise<Readonly<{ text: string; compared: string; closing: Closing }>> {
  const path = `${pathOf(contextId)}/decisions`;
  let compared: string | undefined;
  const read = async (limit: number): Promise<Page> => {
    const options = { query: { live: true, limit, cursor }, signal };
    const { body, etag } = await client.request<Omit<Page, 'version'>>('GET', path, options);
    compared ??= body.items.map(lineOf).join('\n');
    return { ...body, version: Number(/\d+/.exec(etag ?? '')?.[0]) };
  };
  const { page, text, isCut } = await fittingPage(
    { read, limit: mostItems, render: (items) => fenced(items.map(lineOf).join('\n')) },
    defaultTokens - closingTokens,
    countTokens,
  );
  const [first] = page.items;
  const steps = [
    ...(isCut ? [`context_expand decision:${first?.decisionId} for all of this one`] : []),
    ...(page.nextCursor === null ? [] : [`read ${decisionsUriOf(contextId, page.nextCursor)}`]),
  ];
  return {
    text: first ? text : 'No decision is live.',
    compared: compared ?? '',
    closing: { version: page.version, next: steps.join('; ') || 'context_view' },
  };
}

/** Where the list goes on that had no room in one answer. */
function decisionsUriOf(contextId: string, cursor: string): string {
  return `throughline://${contextId}/decisions/from/${encodeURIComponent(cursor)}`;
}

function lineOf({ decisionId, topic, decision, rationale }: Decision): string {
  return JSON.stringify({ decisionId, topic, decision, rationale });
}
