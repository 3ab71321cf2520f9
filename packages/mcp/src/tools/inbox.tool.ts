import { isThroughlineError } from '@throughline/sdk';
import { z } from 'zod';

import { reading } from '../answers.js';
import { closingTokens, defaultTokens, fit } from '../budget.js';
import { fittingPage } from '../fitting-page.js';
import { agentChoice, optionalText, wholeNumber } from '../parameters.js';
import { agentsOf } from '../principal.js';
import { codeSpan, fenced, oneLine } from '../quoting.js';
import { defineTool, type ToolContext } from '../tool-context.js';
import { approvalHint } from './decision-record.tool.js';

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

export function inbox(toolContext: ToolContext) {
  const { principal, countTokens } = toolContext;
  return defineTool({
    name: 'inbox',
    description: 'Handovers and questions to you, and approvals that wait for a person.',
    readOnly: true,
    input: z.strictObject({
      limit: wholeNumber(1, 50).optional(),
      cursor: z.string().max(4_096).optional(),
      ...agentChoice(principal),
    }),
    run: async ({ limit = 20, cursor, ...given }, { signal }) => {
      const agent = optionalText(given, 'agent') ?? agentsOf(principal).at(0);
      const room = defaultTokens - closingTokens;
      const { page, text } = await fittingPage(
        {
          read: (maxItems) => entriesFor(toolContext, agent, { limit: maxItems, cursor, signal }),
          limit,
          render: (items) => items.map(entryText).join('\n'),
        },
        room,
        countTokens,
      );
      const approvals =
        page.nextCursor === null ? await waitingApprovals(toolContext, signal) : noApprovals;
      const approvalText = await approvalsText(approvals, { above: text, room, countTokens });
      const shown = [text, approvalText].filter(Boolean).join('\n');
      return reading(shown || nothingOn(page), { next: nextOf(page) });
    },
  });
}

/** Only agents have entries; people have approvals. */
async function entriesFor(
  { client }: ToolContext,
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

const noApprovals: Page<Approval> = { items: [], nextCursor: null };

/** Renders the approvals, which come last because they are for people, and a hint if not all of them fit. */
async function approvalsText(
  { items, nextCursor }: Page<Approval>,
  {
    above,
    room,
    countTokens,
  }: Readonly<{ above: string; room: number; countTokens: ToolContext['countTokens'] }>,
): Promise<string> {
  const render = (units: number) => {
    const isAll = units === items.length && nextCursor === null;
    const rest = isAll ? [] : ['- more steps wait for people: `throughline approval list`'];
    return [...items.slice(0, units).map(approvalText), ...rest].join('\n');
  };
  const complete = (units: number) => `${above}\n${render(units)}`;
  const { taken } = await fit({ size: items.length, render: complete }, room, countTokens);
  return render(taken);
}

/** Returns the open approvals, or none if the key may not read them. */
async function waitingApprovals(
  { client }: ToolContext,
  signal: AbortSignal,
): Promise<Page<Approval>> {
  try {
    const options = { query: { limit: 20 }, signal };
    const { body } = await client.request<Page<Approval>>('GET', '/v1/approvals', options);
    return body;
  } catch (error) {
    if (isThroughlineError(error, 'forbidden')) return noApprovals;
    throw error;
  }
}

function entryText({ kind, contextId, priority, entry }: Entry): string {
  const { handoverId, inputRequestId, decisionId, subject, from, note, reason, path, decision } =
    entry;
  const id = [handoverId, inputRequestId, decisionId, subject].find((value) => value !== undefined);
  const head = `- ${kind} ${codeSpan(String(id))} in ${codeSpan(contextId)}, ${priority ?? 'medium'}`;
  const by = from === undefined || kind !== 'handover' ? '' : ` from ${codeSpan(String(from))}`;
  const texts = [path, note ?? reason ?? decision].filter((value) => value !== undefined);
  const words = texts.map(String).join(': ');
  return words === '' ? head + by : `${head}${by}\n${fenced(oneLine(words, longestNote))}`;
}

function approvalText({ approvalId, contextId, stepId, message }: Approval): string {
  const head = `- awaiting-approval ${codeSpan(approvalId)}: step ${codeSpan(stepId)} in ${codeSpan(contextId)}; ${approvalHint}`;
  return `${head}\n${fenced(oneLine(message, longestNote))}`;
}

/** The server checks a limited number of entries for each page, so that a page may have no open entry. */
function nothingOn({ nextCursor }: Page<Entry>): string {
  return nextCursor === null ? 'Nothing waits for you.' : 'Nothing on this page.';
}

function nextOf({ items, nextCursor }: Page<Entry>): string {
  if (nextCursor !== null) return `inbox with cursor ${nextCursor}`;
  return items.length === 0 ? 'work' : 'answer, or context_view with focus handover';
}
