import { closingTokens, defaultTokens } from './budget.js';
import { fittingPage } from './fitting-page.js';
import { codeSpan, fenced } from './quoting.js';
import { type Shown } from './resource-text.js';
import { type Site } from './tool-context.js';
import { pathOf } from './view.js';

type Decision = Readonly<{
  decisionId: string;
  topic?: string;
  decision: string;
  rationale?: string;
}>;
type Page = Readonly<{ items: readonly Decision[]; nextCursor: string | null; version: number }>;

const maxItems = 500;
/** Of a ref, in UTF-16 units: a longer one would not be accepted by `context_expand`. */
const longestRef = 1_200;

/** Live decisions, from `cursor` on. */
export async function readDecisions(
  { client, countTokens }: Site,
  { contextId, cursor }: Readonly<{ contextId: string; cursor?: string | undefined }>,
  signal: AbortSignal,
): Promise<Shown> {
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

/** Where the list goes on that had no room in one answer. */
function decisionsUriOf(contextId: string, cursor: string): string {
  return `throughline://${contextId}/decisions/from/${encodeURIComponent(cursor)}`;
}

function refOf({ decisionId }: Decision): string {
  return codeSpan(`decision:${decisionId}`, longestRef);
}

function lineOf({ decisionId, topic, decision, rationale }: Decision): string {
  return JSON.stringify({ decisionId, topic, decision, rationale });
}
