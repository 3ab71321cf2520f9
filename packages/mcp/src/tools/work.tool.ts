import { type CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { reading, refusal, writing } from '../answers.js';
import { closingTokens, defaultTokens, fit } from '../budget.js';
import { agentChoice, chosen, jsonOf, jsonText, maxTokens, wholeNumber } from '../parameters.js';
import { agentsOf } from '../principal.js';
import { codeSpan, fenced } from '../quoting.js';
import { refusalOf } from '../refusals.js';
import { defineTool, type Site, type ToolEdges } from '../tool-context.js';
import { pathOf } from '../view.js';
import { type WriteAnswer } from '../write-request.js';
import { whereApproved } from './decision-record.tool.js';

/** Clients give up after a minute. */
const longestWait = 25;

const input = {
  action: z.enum(['claim', 'heartbeat', 'complete', 'fail']),
  wait: wholeNumber(0, longestWait).optional().describe('seconds'),
  attemptToken: z.string().max(4_096).optional(),
  output: jsonText,
  reason: z.string().max(10_000).optional(),
  maxTokens,
};

/** What to do if these were not answered: no event of a context says so. */
const ifUnknown = {
  claim: {
    ifUnknown:
      'work with action claim; a step that was assigned without an answer is offered again after its lease',
  },
  heartbeat: { ifUnknown: 'the same call again' },
  complete: {},
  fail: {},
} as const;

type Given = z.output<z.ZodObject<typeof input>>;
type Envelope = Readonly<{
  attemptToken: string;
  deadline: string;
  contextId: string;
  agent: string;
  step: Readonly<{ id: string; path: string }>;
  view?: string;
  receipt: string | null;
}> &
  Readonly<Record<string, unknown>>;

export function work(site: Site) {
  return defineTool({
    name: 'work',
    description:
      'Do steps of runs: claim one, heartbeat within its lease (30 s), then complete with output or fail with reason.',
    input: z.strictObject({ ...input, ...agentChoice(site.principal) }),
    run: async (given, edges) => {
      try {
        return await perform(site, given, edges);
      } catch (error) {
        return refusalOf(error, site, ifUnknown[given.action]);
      }
    },
  });
}

async function perform(site: Site, given: Given, edges: ToolEdges): Promise<CallToolResult> {
  if (given.action === 'claim') return claim(site, given, edges);
  if (given.attemptToken === undefined)
    return refusal('attemptToken is missing.', { next: 'work with action claim' });
  return given.action === 'heartbeat' ? heartbeat(site, given, edges) : report(site, given, edges);
}

async function claim(site: Site, given: Given, { signal }: ToolEdges): Promise<CallToolResult> {
  const known = agentsOf(site.principal);
  const agent = chosen(given, 'agent');
  const agents = agent === undefined ? known : [agent];
  if (agents.length === 0)
    return refusal('This key is a person’s: steps are claimed by keys of agents.', {
      next: 'inbox',
    });
  const body = { agents, wait: given.wait ?? 0 };
  const { status, body: envelope } = await site.client.request<Envelope>('POST', '/v1/work/claim', {
    body,
    signal,
  });
  if (status === 204) return reading('No step waits.', { next: 'work again with wait, or inbox' });
  return envelopeText(site, envelope, given.maxTokens ?? defaultTokens);
}

async function envelopeText(
  { countTokens }: Site,
  envelope: Envelope,
  tokens: number,
): Promise<CallToolResult> {
  const { attemptToken, deadline, contextId, agent, step, view, receipt, ...rest } = envelope;
  const head = [
    `Step ${codeSpan(step.path, 600)} of ${codeSpan(contextId)} for ${codeSpan(agent)}, until ${deadline}.`,
    `attemptToken: ${codeSpan(attemptToken, 4_096)}`,
  ].join('\n');
  const json = JSON.stringify({ step, ...rest }, null, 1);
  const room = tokens - closingTokens;
  const render = (units: number) => [head, fenced(json.slice(0, units)), view ?? ''].join('\n');
  const bare = (units: number) => [head, fenced(json.slice(0, units))].join('\n');
  const whole = await fit(
    { size: 1, render: (units) => (units === 1 ? render(json.length) : '') },
    room,
    countTokens,
  );
  if (whole.taken === 1)
    return reading(whole.text, {
      receipt: receipt ?? undefined,
      next: 'work with action complete',
    });
  const shown = await fit({ size: json.length, render: bare }, room, countTokens);
  // The receipt would be of the view, which is not shown.
  const next = 'context_view shows what was cut; work with action complete';
  return reading(shown.text || head, { next });
}

async function heartbeat(
  site: Site,
  { attemptToken }: Given,
  { signal }: ToolEdges,
): Promise<CallToolResult> {
  const { body } = await site.client.request<{ leaseUntil: string; cancelRequested: boolean }>(
    'POST',
    '/v1/work/heartbeat',
    { body: { attemptToken }, signal },
  );
  const text = JSON.stringify({
    leaseUntil: body.leaseUntil,
    cancelRequested: body.cancelRequested,
    version: null,
    receipt: null,
    next: body.cancelRequested ? 'stop' : 'go on',
  });
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

async function report(site: Site, given: Given, { signal }: ToolEdges): Promise<CallToolResult> {
  const { action, attemptToken, output, reason } = given;
  const said =
    action === 'complete'
      ? { output: jsonOf(output, ['output']) ?? null }
      : { reason: reason ?? 'failed' };
  const options = { body: { attemptToken, ...said }, signal };
  const { body } = await site.client.request<WriteAnswer>('POST', `/v1/work/${action}`, options);
  const isWaiting = await waitsForPerson(site, body.contextId, signal);
  return writing({
    version: body.version,
    facts: { run: isWaiting ? 'awaiting-approval' : undefined },
    next: isWaiting ? whereApproved : 'work with action claim',
  });
}

/** Whether the run goes on only after a person has decided, as far as the key sees that. */
async function waitsForPerson(
  { client }: Site,
  contextId: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { body } = await client.request<{ active: readonly { status: string }[] }>(
      'GET',
      `${pathOf(contextId)}/run`,
      { maxRetries: 0, signal },
    );
    return body.active.some(({ status }) => status === 'asking' || status === 'doubt');
  } catch {
    // The step is reported in any case, and its worker must not take that for refused.
    return false;
  }
}
