import { type CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { reading, refusal, writing } from '../answers.js';
import { closingTokens, defaultTokens, fit } from '../budget.js';
import {
  agentChoice,
  optionalText,
  jsonOf,
  jsonText,
  maxTokens,
  wholeNumber,
} from '../parameters.js';
import { agentsOf } from '../principal.js';
import { codeSpan, fenced } from '../quoting.js';
import { refusalOf } from '../refusals.js';
import { defineTool, type ToolContext, type ToolEdges } from '../tool-context.js';
import { pathOf } from '../view.js';
import { type WriteAnswer } from '../write-request.js';
import { approvalHint } from './decision-record.tool.js';

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

/** The next step if a call was not answered: events of a context do not show claims and heartbeats. */
const ifUnknown = {
  claim: {
    ifUnknown:
      'work with action claim; a step that was assigned without an answer is offered again after its lease',
  },
  heartbeat: { ifUnknown: 'the same call again' },
  complete: {},
  fail: {},
} as const;

type WorkInput = z.output<z.ZodObject<typeof input>>;
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

export function work(toolContext: ToolContext) {
  return defineTool({
    name: 'work',
    description:
      'Do steps of runs: claim one, heartbeat within its lease (30 s), then complete with output or fail with reason.',
    input: z.strictObject({ ...input, ...agentChoice(toolContext.principal) }),
    run: async (given, edges) => {
      try {
        return await perform(toolContext, given, edges);
      } catch (error) {
        return refusalOf(error, toolContext, ifUnknown[given.action]);
      }
    },
  });
}

async function perform(
  toolContext: ToolContext,
  given: WorkInput,
  edges: ToolEdges,
): Promise<CallToolResult> {
  if (given.action === 'claim') return claim(toolContext, given, edges);
  if (given.attemptToken === undefined)
    return refusal('attemptToken is missing.', { next: 'work with action claim' });
  return given.action === 'heartbeat'
    ? heartbeat(toolContext, given, edges)
    : report(toolContext, given, edges);
}

async function claim(
  toolContext: ToolContext,
  given: WorkInput,
  { signal }: ToolEdges,
): Promise<CallToolResult> {
  const ownAgents = agentsOf(toolContext.principal);
  const agent = optionalText(given, 'agent');
  const agents = agent === undefined ? ownAgents : [agent];
  if (agents.length === 0)
    return refusal('This key is a person’s: steps are claimed by keys of agents.', {
      next: 'inbox',
    });
  const body = { agents, wait: given.wait ?? 0 };
  const { status, body: envelope } = await toolContext.client.request<Envelope>(
    'POST',
    '/v1/work/claim',
    {
      body,
      signal,
    },
  );
  if (status === 204) return reading('No step waits.', { next: 'work again with wait, or inbox' });
  return envelopeText(toolContext, envelope, given.maxTokens ?? defaultTokens);
}

async function envelopeText(
  { countTokens }: ToolContext,
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
  // No receipt, because the view is omitted.
  const next = 'context_view shows the omitted part; work with action complete';
  return reading(shown.text || head, { next });
}

async function heartbeat(
  toolContext: ToolContext,
  { attemptToken }: WorkInput,
  { signal }: ToolEdges,
): Promise<CallToolResult> {
  const { body } = await toolContext.client.request<{
    leaseUntil: string;
    cancelRequested: boolean;
  }>('POST', '/v1/work/heartbeat', { body: { attemptToken }, signal });
  const text = JSON.stringify({
    leaseUntil: body.leaseUntil,
    cancelRequested: body.cancelRequested,
    version: null,
    receipt: null,
    next: body.cancelRequested ? 'stop' : 'continue',
  });
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

async function report(
  toolContext: ToolContext,
  given: WorkInput,
  { signal }: ToolEdges,
): Promise<CallToolResult> {
  const { action, attemptToken, output, reason } = given;
  const result =
    action === 'complete'
      ? { output: jsonOf(output, ['output']) ?? null }
      : { reason: reason ?? 'failed' };
  const options = { body: { attemptToken, ...result }, signal };
  const { body } = await toolContext.client.request<WriteAnswer>(
    'POST',
    `/v1/work/${action}`,
    options,
  );
  const isWaiting = await waitsForPerson(toolContext, body.contextId, signal);
  return writing({
    version: body.version,
    facts: { run: isWaiting ? 'awaiting-approval' : undefined },
    next: isWaiting ? approvalHint : 'work with action claim',
  });
}

/** Returns whether the run waits for a decision of a person, if the key may see that. */
async function waitsForPerson(
  { client }: ToolContext,
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
    // The step was reported, so that this must not fail.
    return false;
  }
}
