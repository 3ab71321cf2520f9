import { setTimeout as wait } from 'node:timers/promises';

import { waitFor } from '#testing';

import { currentAnswer } from './caught-up.js';
import { type Reply, rootKey, ThroughlineServer } from './throughline-server.js';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

const definitions = [
  { id: 'asking', steps: [agent('a', { recovery: 'ask' })] },
  { id: 'repeating', steps: [agent('b', { recovery: 'replay_safe' })] },
  { id: 'quick', steps: [agent('c', { next: 'd' }), agent('d')] },
  { id: 'promised', steps: [agent('e', { output: 'report' })] },
  { id: 'large', steps: [agent('f', { next: 'g' }), agent('g')] },
];

let server: ThroughlineServer;
let contexts = 0;
/** The interval of heartbeats, many of which fit into a lease. */
const pauseMs = 100;

beforeAll(async () => {
  server = await ThroughlineServer.start({ THROUGHLINE_RUN_LEASE_MS: '1500' });
  for (const definition of definitions)
    expect((await server.post('/v1/workflows', definition)).status).toBe(201);
}, 120_000);

afterAll(() => server.stop());

async function start(definitionId: string): Promise<string> {
  const contextId = `leased-${++contexts}`;
  expect((await server.post('/v1/contexts', { contextId })).status).toBe(201);
  expect((await server.post(`/v1/contexts/${contextId}/run`, { definitionId })).status).toBe(201);
  return contextId;
}

function claim(agentId: string, wait = 30): Promise<Reply> {
  return server.post('/v1/work/claim', { agents: [agentId], wait });
}

function eventsOf(contextId: string, type: string): Promise<readonly unknown[]> {
  return server.get(`/v1/contexts/${contextId}/events?type=${type}`).then(({ body }) => body.items);
}

describe('a worker', () => {
  it('waits for work, and receives it as soon as it is scheduled', async () => {
    const waiting = claim('c');
    const contextId = await start('quick');
    const { status, body } = await waiting;
    expect([status, body.contextId, body.agent]).toEqual([200, contextId, 'c']);
    const next = claim('d');
    await server.post('/v1/work/complete', { attemptToken: body.attemptToken, output: 1 });
    const { body: second } = await next;
    expect(second).toMatchObject({ contextId, context: { c: 1 }, timeoutMs: 60_000 });
    await server.post('/v1/work/complete', { attemptToken: second.attemptToken, output: 2 });
    expect((await claim('d', 0)).status).toBe(204);
  });

  it('retains its attempt by heartbeats, and learns from them that its run is being cancelled', async () => {
    const contextId = await start('asking');
    const { body } = await claim('a');
    const { attemptToken } = body;
    const heartbeat = () => server.post('/v1/work/heartbeat', { attemptToken });
    const startTime = performance.now();
    // The attempt lasts two leases without being lost.
    while (performance.now() - startTime < 3_200) {
      expect((await heartbeat()).status).toBe(200);
      await wait(pauseMs);
    }
    expect(await eventsOf(contextId, 'ApprovalRequested')).toEqual([]);
    expect((await heartbeat()).body).toMatchObject({
      cancelRequested: false,
      deadline: body.deadline,
    });
    await server.post(`/v1/contexts/${contextId}/run/cancel`, {});
    expect((await heartbeat()).body).toMatchObject({ cancelRequested: true });
    await server.post('/v1/work/fail', { attemptToken, reason: 'cancelled' });
    expect(await heartbeat()).toMatchObject({
      status: 409,
      body: { type: '/problems/stale-attempt' },
    });
  });

  it('that disappears leaves one question to a person, whose answer counts', async () => {
    const contextId = await start('asking');
    const { body } = await claim('a');
    const [question] = await waitFor(
      'the question',
      async () => (await currentAnswer(() => server.get('/v1/approvals'))).body.items,
      { until: ({ length }) => length > 0 },
    );
    expect(question).toMatchObject({ contextId, stepId: 'a', attempt: 1 });
    const id = encodeURIComponent(question.approvalId);
    const answer = (request: object) => server.post(`/v1/approvals/${id}/answer`, request);
    expect((await server.post(`/v1/approvals/${id}/approve`, {})).status).toBe(422);
    expect((await answer({ action: 'output' })).status).toBe(422);
    expect(
      (await answer({ action: 'output', output: 'by hand', comment: 'I looked' })).status,
    ).toBe(201);
    expect((await answer({ action: 'retry' })).status).toBe(409);
    const late = { attemptToken: body.attemptToken, output: 'too late' };
    expect((await server.post('/v1/work/complete', late)).status).toBe(409);
    expect((await server.get(`/v1/contexts/${contextId}`)).body).toMatchObject({
      stepOutputs: { a: 'by hand' },
      run: { status: 'completed' },
    });
    expect(await eventsOf(contextId, 'ApprovalRequested')).toHaveLength(1);
  });

  it('that disappears is replaced by another one if its work may be repeated', async () => {
    const contextId = await start('repeating');
    const { body: first } = await claim('b');
    const { body: second } = await claim('b');
    expect(second).toMatchObject({
      contextId,
      step: { attempt: 2 },
      recovers: { attempt: 1, verify: false },
      effectKey: first.effectKey,
    });
    const done = { attemptToken: second.attemptToken, output: 2 };
    expect((await server.post('/v1/work/complete', done)).status).toBe(201);
    const late = { attemptToken: first.attemptToken, output: 1 };
    expect((await server.post('/v1/work/complete', late)).status).toBe(409);
  });

  it('reports with the key of its claim, and with no other key of its agent', async () => {
    const contextId = await start('repeating');
    const [own, other] = await Promise.all([
      server.key({ role: 'agent', agentId: 'b' }),
      server.key({ role: 'agent', agentId: 'b' }),
    ]);
    const request = { body: { agents: ['b'], wait: 10 }, key: own };
    const { body } = await server.call('POST', '/v1/work/claim', request);
    expect(body.contextId).toBe(contextId);
    const report = { attemptToken: body.attemptToken, output: 1 };
    for (const key of [other, rootKey])
      expect((await server.call('POST', '/v1/work/complete', { body: report, key })).status).toBe(
        403,
      );
    const done = await server.call('POST', '/v1/work/complete', { body: report, key: own });
    expect(done.status).toBe(201);
  });

  it('corrects an output that violates the contract of its agent, at most twice', async () => {
    const schema = { type: 'object', required: ['total'] };
    const contract = { outputs: { report: { schema } } };
    const definition = { agentId: 'e', name: 'E', role: 'r', kind: 'llm', contract };
    expect((await server.post('/v1/agents', definition)).status).toBe(201);
    const contextId = await start('promised');
    const { body } = await claim('e');
    const complete = (output: unknown) =>
      server.post('/v1/work/complete', { attemptToken: body.attemptToken, output });
    for (const refusal of [1, 2])
      expect(await complete({ sum: refusal })).toMatchObject({
        status: 422,
        body: {
          errors: [{ pointer: '/output', detail: expect.stringContaining('/total is missing') }],
        },
      });
    const failed = await complete({ sum: 3 });
    expect(failed.status).toBe(201);
    // A repeated report gets the first answer.
    expect(await complete({ sum: 3 })).toMatchObject({ status: 201, body: failed.body });
    expect((await complete({ total: 3 })).status).toBe(409);
    const { body: run } = await server.get(`/v1/contexts/${contextId}/run`);
    expect(run).toMatchObject({ status: 'failed', failedStep: { stepId: 'e' } });
    expect(run.reason).toContain("the contract of the step's agent");
  });

  it('receives a view with a receipt if the context exceeds the tokens of its agent', async () => {
    const view = { maxTokens: 500 };
    await server.post('/v1/agents', { agentId: 'g', name: 'G', role: 'r', kind: 'llm', view });
    const contextId = await start('large');
    const { body: first } = await claim('f');
    const text = 'one more sentence of a long report. '.repeat(400);
    await server.post('/v1/work/complete', { attemptToken: first.attemptToken, output: { text } });
    const { body } = await claim('g');
    expect(body.context).toBeUndefined();
    expect(body.view).toContain('long report');
    expect(body.view.length).toBeLessThan(4_000);
    const [, started] = await eventsOf(contextId, 'StepAttemptStarted');
    expect(started).toMatchObject({ data: { receipt: body.receipt } });
    const { status } = await server.get(`/v1/receipts/${encodeURIComponent(body.receipt)}`);
    expect(status).toBe(200);
    await server.post('/v1/work/complete', { attemptToken: body.attemptToken, output: 1 });
  });
});

describe('runs', () => {
  it('are listed with their open approvals, first the approvals that wait for a person', async () => {
    const working = await start('quick');
    const asking = await start('asking');
    await claim('a');
    const listed = async () =>
      (await currentAnswer(() => server.get('/v1/runs?state=active'))).body.items;
    const [first, ...others] = await waitFor('the question in the list', listed, {
      until: ([{ waitsFor }]) => waitsFor[0]?.kind === 'person',
    });
    expect(first).toMatchObject({
      contextId: asking,
      status: 'running',
      definition: { definitionId: 'asking' },
      waitsFor: [{ stepId: 'a', approvalId: expect.stringContaining(`${asking}~`) }],
    });
    expect(others).toContainEqual(
      expect.objectContaining({
        contextId: working,
        waitsFor: [expect.objectContaining({ kind: 'agent', agent: 'c', stepId: 'c' })],
      }),
    );
    const { body: page } = await server.get('/v1/runs?limit=1');
    const next = await server.get(`/v1/runs?limit=500&cursor=${page.nextCursor}`);
    const ids = [...page.items, ...next.body.items].map(
      (run: { contextId: string }) => run.contextId,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([working, asking]));
    const { body: ended } = await server.get('/v1/runs?state=failed&definition=promised');
    expect(ended.items).toMatchObject([{ status: 'failed', waitsFor: [] }]);
    for (const contextId of [working, asking])
      await server.post(`/v1/contexts/${contextId}/run/cancel`, { graceMs: 0 });
  });

  it('that are paused hide no work of other runs', async () => {
    const paused = await start('quick');
    // Answers of people may contain text that databases do not accept as JSON.
    await server.post(`/v1/contexts/${paused}/run/pause`, { reason: 'lunch\u0000' });
    const other = await start('quick');
    const { body } = await claim('c');
    expect(body.contextId).toBe(other);
    for (const contextId of [paused, other])
      await server.post(`/v1/contexts/${contextId}/run/cancel`, { graceMs: 0 });
  });

  it('are cancelled by closing and restoring on request, in the same append', async () => {
    const contextId = await start('quick');
    const at = `/v1/contexts/${contextId}`;
    expect((await server.post(`${at}/restore`, { version: 1 })).status).toBe(409);
    const restored = await server.post(`${at}/restore?cancelRun=true`, { version: 1 });
    expect(restored.body.events.map(({ type }: { type: string }) => type)).toEqual([
      'RunCancelRequested',
      'StepRouted',
      'RunCancelled',
      'ContextRestored',
    ]);
    await server.post(`${at}/run`, { definitionId: 'quick' });
    expect((await server.post(`${at}/close?cancelRun=true`, {})).status).toBe(201);
    expect((await server.get(`${at}/run`)).body).toMatchObject({ status: 'cancelled' });
  });

  it('that were imported wait for a person to resume them, and can always be cancelled', async () => {
    const original = await start('quick');
    const { text } = await server.get(`/v1/contexts/${original}/export?format=events-jsonl`);
    const workspace = { workspace: 'abroad' };
    const importAs = (contextId: string, headers: Record<string, string>) =>
      server.call('POST', `/v1/imports?format=events-jsonl&as=${contextId}`, {
        text,
        headers: { 'content-type': 'application/x-ndjson', ...headers },
      });
    expect((await importAs('copied', {})).status).toBe(200);
    expect((await importAs('foreign', workspace)).status).toBe(200);
    await currentAnswer(() => server.get('/v1/runs'));
    const { body: claimed } = await claim('c');
    expect(claimed.contextId).toBe(original);
    expect((await claim('c', 0)).status).toBe(204);
    // The definition exists here, but not there.
    expect((await server.post('/v1/contexts/copied/run/resume', {})).status).toBe(201);
    expect((await claim('c')).body.contextId).toBe('copied');
    const as = { headers: workspace };
    const foreign = '/v1/contexts/foreign/run';
    const request = { body: { graceMs: 0 }, ...as };
    expect((await server.call('POST', `${foreign}/cancel`, request)).status).toBe(201);
    expect((await server.call('GET', foreign, as)).body).toMatchObject({ status: 'cancelled' });
    for (const contextId of [original, 'copied'])
      await server.post(`/v1/contexts/${contextId}/run/cancel`, { graceMs: 0 });
  });

  it('are started by the principals of the version in force, for every version', async () => {
    const open = { id: 'closing', steps: [agent('c')] };
    await server.post('/v1/workflows', open);
    await server.post('/v1/workflows', { ...open, enabled: false });
    await server.post('/v1/contexts', { contextId: 'archived-run' });
    const request = { definitionId: 'closing', version: 1 };
    expect((await server.post('/v1/contexts/archived-run/run', request)).status).toBe(403);
  });
});

describe('events of the interpreter', () => {
  it('are hidden from audiences with a filter', async () => {
    const definition = {
      id: 'secret',
      steps: [
        agent('s', { next: 'copy' }),
        { id: 'copy', type: 'transform', transform: 'context.s.secret', next: 'rich' },
        { id: 'rich', type: 'condition', condition: 'context.s.secret > 100' },
      ],
    };
    await server.post('/v1/workflows', definition);
    const show = [
      { types: ['*'], steps: ['copy', 'rich'] },
      { types: ['*'], authors: ['executor'] },
    ];
    for (const audience of ['narrow', 'wide'])
      await server.call('PUT', `/v1/policies/${audience}`, {
        body: {
          show: audience === 'narrow' ? show : [{ types: ['*'], authors: ['executor', 's'] }],
        },
      });
    const contextId = await start('secret');
    const { body } = await claim('s');
    const output = { secret: 4_711 };
    await server.post('/v1/work/complete', { attemptToken: body.attemptToken, output });
    const key = await server.key({ role: 'agent', agentId: 'n', audiences: ['narrow'] });
    const at = `/v1/contexts/${contextId}`;
    for (const path of [
      at,
      `${at}/events`,
      `${at}/view`,
      `${at}/step-outputs`,
      `${at}/changes?from=0`,
    ]) {
      const { text } = await server.call('GET', path, { key });
      expect(text).not.toContain('4711');
      expect(text).not.toContain('"holds"');
    }
  });
});
