import { waitFor } from '#testing';

import { rootKey, type ThroughlineServer } from '../throughline-server.js';
import { callerIds } from './principals.js';
import { approvalWorkflow, transformationTo, workflowOf } from './requests.js';

const workflow = { definitionId: 'w', version: 1 };
const agent = { name: 'A', role: 'r', kind: 'llm' };

/** The targets of requests, and the ids that the server generated. */
export async function createFixtures(
  server: ThroughlineServer,
  abroad: string,
): Promise<Readonly<Record<string, string>>> {
  await succeed(server.post('/v1/contexts', { contextId: 'epic', workflow }));
  const headers = { workspace: abroad };
  await succeed(server.post('/v1/contexts', { contextId: 'epic', workflow }, { headers }));
  for (const contextId of ['read', 'write', 'put', 'closed', 'restored'])
    await succeed(server.post('/v1/contexts', { contextId, parent: 'epic', workflow }));
  await succeed(server.post('/v1/contexts/closed/close', {}));
  await append(server, 'read', readItems);
  await append(server, 'restored', readItems);
  await append(server, 'write', callerIds.flatMap(itemsOf));
  const hidden = callerIds.flatMap((id) => itemsOf(hiddenId(id)));
  await append(
    server,
    'write',
    hidden.map((event) => ({ ...event, visibility: 'working' })),
  );
  for (const agentId of ['ada', 'eve'])
    await succeed(server.post('/v1/agents', { ...agent, agentId }));
  await succeed(server.post('/v1/agents', { ...agent, agentId: 'ada' }, { headers }));
  const body = transformationTo('t');
  await succeed(server.call('PUT', '/v1/transformations/t', { body }));
  for (const description of ['one', 'two'])
    await succeed(server.post('/v1/workflows', workflowOf(description)));
  await succeed(server.post('/v1/workflows', workflowOf('one'), { headers }));
  const { headers: visible } = await server.get('/v1/contexts/read');
  const { body: events } = await server.get('/v1/contexts/read/events');
  const { body: key } = await server.post('/v1/keys', { role: 'agent' });
  const run = await runFixtures(server);
  const [event] = events.items;
  return { receipt: String(visible['receipt']), eventId: event.eventId, keyId: key.keyId, ...run };
}

/** Runs that requests use without changing them, and their tokens. */
async function runFixtures(
  server: ThroughlineServer,
): Promise<Readonly<Record<'attemptToken' | 'approvalId', string>>> {
  const ownItem = callerIds.map((id) => `run-${id}`);
  for (const contextId of ['running', 'paused', 'cancelled', 'asking', 'done', ...ownItem])
    await succeed(server.post('/v1/contexts', { contextId, parent: 'epic', workflow }));
  await succeed(server.post('/v1/workflows', approvalWorkflow));
  const definitionId = 'q';
  for (const contextId of ['asking', 'done', 'running', 'paused', 'cancelled'])
    await succeed(server.post(`/v1/contexts/${contextId}/run`, { definitionId }));
  await succeed(server.post('/v1/contexts/paused/run/pause', {}));
  await succeed(server.post('/v1/contexts/cancelled/run/cancel', {}));
  const ada = await server.key({ role: 'agent', agentId: 'ada' });
  const question = { attemptToken: await claimIn(server, 'asking', ada), output: 1 };
  await succeed(server.call('POST', '/v1/work/complete', { body: question, key: ada }));
  const attemptToken = await claimIn(server, 'done', rootKey);
  await succeed(server.post('/v1/work/complete', { attemptToken, output: 1 }));
  const { body: run } = await server.get('/v1/contexts/asking/run');
  const { approvalId } = run.active[0].approval;
  await succeed(server.post(`/v1/approvals/${approvalId}/approve`, {}));
  return { attemptToken, approvalId };
}

async function claimIn(server: ThroughlineServer, contextId: string, key: string): Promise<string> {
  const body = { agents: ['ada'] };
  const headers = { workspace: server.workspace };
  const claim = async () =>
    (await server.call('POST', '/v1/work/claim', { body, key, headers })).body;
  const claimed = await waitFor(`work in ${contextId}`, claim, {
    until: (work) => work?.contextId === contextId,
  });
  return claimed.attemptToken;
}

const readItems = [
  { type: 'RequirementRecorded', data: { requirementId: 'q', kind: 'functional', text: 't' } },
  { type: 'DecisionRecorded', data: { decisionId: 'd', decision: 'd' } },
];

/** The name of a caller in the ids of items that are hidden from a narrow audience. */
export function hiddenId(id: string): string {
  return `hidden-${id}`;
}

/** Items for each caller, visible to the audience `developer`. */
function itemsOf(id: string) {
  const decision = { decision: 'd', confidence: 0 };
  const task = { title: 't' };
  return [
    { type: 'DecisionRecorded', data: { ...decision, decisionId: `approved-${id}` } },
    { type: 'DecisionRecorded', data: { ...decision, decisionId: `rejected-${id}` } },
    { type: 'TaskPlanned', data: { ...task, taskId: `start-${id}` } },
    { type: 'TaskPlanned', data: { ...task, taskId: `block-${id}` } },
    { type: 'TaskPlanned', data: { ...task, taskId: `complete-${id}` } },
    { type: 'IterationStarted', data: { subject: id } },
    { type: 'RiskRaised', data: { riskId: id, severity: 'low', description: 'd' } },
    { type: 'BlockerRaised', data: { blockerId: id, description: 'd' } },
    { type: 'HandoverNoted', data: { handoverId: id, to: 'ada', note: 'n' } },
    { type: 'InputRequested', data: { inputRequestId: id, path: 'p', from: 'developer' } },
  ];
}

async function append(server: ThroughlineServer, contextId: string, events: readonly object[]) {
  await succeed(server.post(`/v1/contexts/${contextId}/events`, { events }));
}

async function succeed(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
}
