import { isThroughlineError } from '@throughline/sdk';
import { z } from 'zod';

import { reading } from '../answers.js';
import { closingTokens, defaultTokens, fit } from '../budget.js';
import { agentChoice, chosen } from '../parameters.js';
import { agentsOf } from '../principal.js';
import { codeSpan, fenced, oneLine } from '../quoting.js';
import { defineTool, type Site } from '../site.js';
import { whereApproved } from './decision-record.tool.js';

type Page<Item> = Readonly<{ items: readonly Item[]; nextCursor: string | null }>;
type Entry = Readonly<{
  kind: string;
  contextId: string;
  priority?: string;
  entry: Readonly<Record<string, unknown>>;
}>;
type Approval = Readonly<{
  approvalId: string;
  contextId: string;
  stepId: string;
  message: string;
}>;

const longestNote = 1_000;

export function inbox(site: Site) {
  const { principal, countTokens } = site;
  return defineTool({
    name: 'inbox',
    description: 'Handovers and questions to you, and approvals that wait for a person.',
    readOnly: true,
    input: z.strictObject({
      limit: z.coerce.number().int().min(1).max(50).optional(),
      cursor: z.string().max(4_096).optional(),
      ...agentChoice(principal),
    }),
    run: async ({ limit = 20, cursor, ...given }, { signal }) => {
      const agent = chosen(given, 'agent') ?? agentsOf(principal).at(0);
      const body = await entriesFor(site, agent, { limit, cursor, signal });
      const approvals = cursor === undefined ? await waitingApprovals(site, signal) : [];
      const pieces = [...body.items.map(entryText), ...approvals.map(approvalText)];
      const render = (units: number) => pieces.slice(0, units).join('\n');
      const shown = await fit(
        { size: pieces.length, render },
        defaultTokens - closingTokens,
        countTokens,
      );
      const text = pieces.length === 0 ? 'Nothing waits for you.' : shown.text;
      return reading(text, { next: nextOf(body, shown.taken < pieces.length) });
    },
  });
}

/** Of a person nothing waits under a name; approvals do. */
async function entriesFor(
  { client }: Site,
  agent: string | undefined,
  {
    signal,
    ...query
  }: Readonly<{ limit: number; cursor: string | undefined; signal: AbortSignal }>,
): Promise<Page<Entry>> {
  if (agent === undefined) return { items: [], nextCursor: null };
  const path = `/v1/agents/${encodeURIComponent(agent)}/inbox`;
  const { body } = await client.request<Page<Entry>>('GET', path, { query, signal });
  return body;
}

/** Who sees everything sees these; other keys are answered without. */
async function waitingApprovals(
  { client }: Site,
  signal: AbortSignal,
): Promise<readonly Approval[]> {
  try {
    const options = { query: { limit: 20 }, signal };
    const { body } = await client.request<Page<Approval>>('GET', '/v1/approvals', options);
    return body.items;
  } catch (error) {
    if (isThroughlineError(error, 'forbidden')) return [];
    throw error;
  }
}

function entryText({ kind, contextId, priority, entry }: Entry): string {
  const { handoverId, inputRequestId, decisionId, subject, from, note, reason, path, decision } =
    entry;
  const id = [handoverId, inputRequestId, decisionId, subject].find((value) => value !== undefined);
  const head = `- ${kind} ${codeSpan(String(id))} in ${codeSpan(contextId)}, ${priority ?? 'medium'}`;
  const by = from === undefined || kind !== 'handover' ? '' : ` from ${codeSpan(String(from))}`;
  const said = [path, note ?? reason ?? decision].filter((value) => value !== undefined);
  const words = said.map(String).join(': ');
  return words === '' ? head + by : `${head}${by}\n${fenced(oneLine(words, longestNote))}`;
}

function approvalText({ approvalId, contextId, stepId, message }: Approval): string {
  const head = `- awaiting-approval ${codeSpan(approvalId)}: step ${codeSpan(stepId)} in ${codeSpan(contextId)}; ${whereApproved}`;
  return `${head}\n${fenced(oneLine(message, longestNote))}`;
}

function nextOf({ items, nextCursor }: Page<Entry>, isCut: boolean): string {
  if (isCut) return 'inbox with a smaller limit';
  if (nextCursor !== null) return `inbox with cursor ${nextCursor}`;
  return items.length === 0 ? 'work' : 'answer, or context_view with focus handover';
}
