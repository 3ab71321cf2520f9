import { closingTokens, defaultTokens } from './budget.js';
import { fittingPage } from './fitting-page.js';
import { codeSpan, fenced } from './quoting.js';
import { type ResourceText } from './resource-text.js';
import { type ToolContext } from './tool-context.js';
import { pathOf } from './view.js';

type Decision = Readonly<{
  decisionId: string;
  topic?: string;
  decision: string;
  rationale?: string;
}>;
type Page = Readonly<{ items: readonly Decision[]; nextCursor: string | null; version: number }>;

const maxItems = 500;
/** The longest ref that `context_expand` accepts, in UTF-16 units. */
const longestRef = 1_200;

/** Returns the text of the live decisions, from `cursor` on. */
export async function readDecisions(
  { client, countTokens }: ToolContext,
  { contextId, cursor }: Readonly<{ contextId: string; cursor?: string | undefined }>,
  signal: AbortSignal,
): Promise<ResourceText> {
  const path = `${pathOf(contextId)}/decisions`;
  const read = async (limit: number): Promise<Page> => {
    const options = { query: { live: true, limit, cursor }, signal };
    const { body, etag } = await client.request<Omit<Page, 'version'>>('GET', path, options);
    return { ...body, version: Number(/\d+/.exec(etag ?? '')?.[0]) };
  };
  const { page, text, isCut } = await fittingPage(
    { read, limit: maxItems, render: (items) => fenced(items.map(lineOf).join('\n')) },
    defaultTokens - closingTokens,
    countTokens,
  );
  const [first] = page.items;
  const steps = [
    ...(isCut && first ? [`context_expand ${refOf(first)} for all of this one`] : []),
    ...(page.nextCursor === null ? [] : [`read ${decisionsUriOf(contextId, page.nextCursor)}`]),
  ];
  return {
    text: first ? text : 'No decision is live.',
    isContinued: page.nextCursor !== null,
    closing: { version: page.version, next: steps.join('; ') || 'context_view' },
  };
}

/** Returns the URI of the next page of a list that does not fit into one answer. */
function decisionsUriOf(contextId: string, cursor: string): string {
  return `throughline://${contextId}/decisions/from/${encodeURIComponent(cursor)}`;
}

function refOf({ decisionId }: Decision): string {
  return codeSpan(`decision:${decisionId}`, longestRef);
}

function lineOf({ decisionId, topic, decision, rationale }: Decision): string {
  return JSON.stringify({ decisionId, topic, decision, rationale });
}
