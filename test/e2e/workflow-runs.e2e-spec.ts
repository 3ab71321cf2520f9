import { waitFor } from '#testing';

import { currentAnswer } from './caught-up.js';
import { type Reply, ThroughlineServer } from './throughline-server.js';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  for (const definition of definitions)
    expect((await server.call('POST', '/v1/workflows', { body: definition })).status).toBe(201);
}, 120_000);

afterAll(() => server.stop());

const definitions = [
  {
    id: 'build',
    steps: [
      agent('plan', { next: 'code' }),
      agent('code', { input: 'plan', max_retries: 2, next: 'checks' }),
      {
        id: 'checks',
        type: 'parallel',
        next: 'good',
        steps: [agent('unit'), agent('e2e')],
      },
      {
        id: 'good',
        type: 'condition',
        then: 'sum',
        else: 'code',
        condition: 'context.checks.success',
      },
      { id: 'sum', type: 'transform', transform: 'context.unit.passed + context.e2e.passed' },
    ],
  },
  { id: 'one', steps: [agent('only')] },
  {
    id: 'approved',
    steps: [
      agent('draft', { next: 'approve' }),
      { id: 'approve', type: 'approval', on_approve: 'ship', on_reject: 'draft' },
      agent('ship'),
    ],
  },
  { id: 'slow', steps: [agent('sleeper', { timeout_ms: 200 })] },
  { id: 'limited', steps: [agent('rare')] },
  { id: 'late', steps: [agent('tardy')] },
  { id: 'archived', enabled: false, steps: [agent('only')] },
  { id: 'chosen', visible_to: ['ada'], steps: [agent('only')] },
];

let contexts = 0;

async function start(definitionId: string, input: unknown = null, body: object = {}) {
  const contextId = `run-${++contexts}`;
  expect((await server.call('POST', '/v1/contexts', { body: { contextId } })).status).toBe(201);
  const request = { body: { definitionId, input, ...body } };
  const started = await server.call('POST', `/v1/contexts/${contextId}/run`, request);
  return { contextId, started };
}

/** The rows that claims read may lag behind the log. */
function claim(agentId: string, key?: string): Promise<Reply> {
  const body = { agents: [agentId] };
  return waitFor(
    `work for ${agentId}`,
    () => server.call('POST', '/v1/work/claim', { body, ...(key === undefined ? {} : { key }) }),
    { until: ({ status }) => status !== 204 },
  );
}

async function finish(agentId: string, output: unknown, key?: string): Promise<Reply> {
  const { body } = await claim(agentId, key);
  const { attemptToken } = body;
  const as = key === undefined ? {} : { key };
  return server.call('POST', '/v1/work/complete', { body: { attemptToken, output }, ...as });
}

async function runOf(contextId: string) {
  return (await server.get(`/v1/contexts/${contextId}/run`)).body;
}

describe('a run of a published workflow', () => {
  it('is executed by workers that claim its steps, from the first to the last', async () => {
    const { contextId, started } = await start('build', 'Add dark mode');
    expect([started.status, started.body.events.map(({ type }: { type: string }) => type)]).toEqual(
      [201, ['RunStarted', 'StepScheduled']],
    );
    const { body: planned } = await claim('plan');
    expect(planned).toMatchObject({
      contextId,
      runId: started.body.runId,
      input: 'Add dark mode',
      context: {},
      step: { id: 'plan', path: 'plan#1', visit: 1, attempt: 1, parameters: {} },
      failure: null,
      feedback: null,
      effectKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const plan = { body: { attemptToken: planned.attemptToken, output: { files: ['a.ts'] } } };
    const done = await server.call('POST', '/v1/work/complete', plan);
    expect(done.body.events.map(({ type }: { type: string }) => type)).toEqual([
      'StepOutputAdded',
      'StepRouted',
      'StepScheduled',
    ]);
    const again = await server.call('POST', '/v1/work/complete', plan);
    expect(again).toMatchObject({ status: done.status, body: done.body });
    const otherwise = { body: { attemptToken: planned.attemptToken, output: 'other' } };
    expect(await server.call('POST', '/v1/work/complete', otherwise)).toMatchObject({
      status: 409,
      body: { type: '/problems/stale-attempt' },
    });

    const { body: coding } = await claim('code');
    expect(coding).toMatchObject({ references: { plan: { files: ['a.ts'] } } });
    const failed = { attemptToken: coding.attemptToken, reason: 'it does not compile\u0000' };
    const failure = await server.call('POST', '/v1/work/fail', { body: failed });
    expect(failure.status).toBe(201);
    const late = { body: { attemptToken: coding.attemptToken, output: 1 } };
    expect(await server.call('POST', '/v1/work/complete', late)).toMatchObject({
      status: 409,
      body: { type: '/problems/stale-attempt' },
    });
    await finish('code', { created: ['a.ts'] });
    const repeated = await server.call('POST', '/v1/work/fail', { body: failed });
    expect(repeated.body).toEqual(failure.body);
    const { body: unit } = await claim('unit');
    await finish('e2e', { passed: 5 });
    expect(unit.context).toMatchObject({ code: { created: ['a.ts'] } });
    const passed = { attemptToken: unit.attemptToken, output: { passed: 15 } };
    await server.call('POST', '/v1/work/complete', { body: passed });

    const run = await runOf(contextId);
    expect(run).toMatchObject({
      status: 'completed',
      success: true,
      active: [],
      definition: { definitionId: 'build', version: 1 },
      outputOf: { stepId: 'sum' },
      metadata: { iterationCount: 7, errorCount: 0 },
    });
    const { body: document } = await server.get(`/v1/contexts/${contextId}`);
    expect(document.stepOutputs).toMatchObject({ sum: 20, plan: { files: ['a.ts'] } });
    expect(document.run).toEqual(run);
    const { body: log } = await server.get(`/v1/contexts/${contextId}/events?limit=500`);
    const principals = new Set(
      log.items
        .filter(({ type }: { type: string }) => type === 'StepRouted')
        .map(({ principal }: { principal: string }) => principal),
    );
    expect([...principals]).toEqual(['executor']);
  });

  it('can be claimed with a key of its agent only', async () => {
    const { contextId } = await start('one');
    const [own, other] = await Promise.all([
      server.key({ role: 'agent', agentId: 'only' }),
      server.key({ role: 'agent', agentId: 'mallory' }),
    ]);
    const refused = await server.call('POST', '/v1/work/claim', {
      body: { agents: ['only'] },
      key: other,
    });
    expect(refused.status).toBe(403);
    const { body } = await claim('only', own);
    const report = { body: { attemptToken: body.attemptToken, output: 1 } };
    const otherReport = await server.call('POST', '/v1/work/complete', { ...report, key: other });
    expect(otherReport.status).toBe(403);
    const reported = await server.call('POST', '/v1/work/complete', { ...report, key: own });
    expect(reported.status).toBe(201);
    expect(await runOf(contextId)).toMatchObject({ status: 'completed' });
  });

  it('assigns one attempt to one of many workers', async () => {
    const { contextId } = await start('one');
    const claimConcurrently = async () => {
      const request = { body: { agents: ['only'] } };
      const claims = Array.from({ length: 8 }, () =>
        server.call('POST', '/v1/work/claim', request),
      );
      return (await Promise.all(claims)).filter(({ status }) => status === 200);
    };
    const received = await waitFor('the attempt', claimConcurrently, {
      until: ({ length }) => length > 0,
    });
    expect(received).toHaveLength(1);
    expect(await claimConcurrently()).toEqual([]);
    const { body } = await server.get(`/v1/contexts/${contextId}/events?type=StepAttemptStarted`);
    expect(body.items).toHaveLength(1);
    await server.call('POST', `/v1/contexts/${contextId}/run/cancel`, { body: { graceMs: 0 } });
  });

  it('limits concurrent attempts per agent and workspace, and starts the next one after another has ended', async () => {
    const registration = { name: 'R', role: 'works', kind: 'tool', maxRunningAttempts: 1 };
    const registered = await server.call('PUT', '/v1/agents/rare', { body: registration });
    expect(registered.body).toMatchObject({ maxRunningAttempts: 1 });
    await start('limited');
    const { contextId } = await start('limited');
    const { body: first } = await claim('rare');
    const ask = (agentId: string, wait = 0) =>
      server.call('POST', '/v1/work/claim', { body: { agents: [agentId], wait } });
    await currentAnswer(() => server.get('/v1/runs'));
    expect((await ask('rare')).status).toBe(204);
    const waiting = ask('rare', 30);
    const done = { attemptToken: first.attemptToken, output: 1 };
    await server.call('POST', '/v1/work/complete', { body: done });
    expect(await waiting).toMatchObject({ status: 200, body: { contextId } });
    const limit = (maxRunningAttempts: number | null) =>
      server.call('PATCH', '/v1/settings', { body: { maxRunningAttempts } });
    expect((await limit(1)).body).toMatchObject({ maxRunningAttempts: 1 });
    const other = await start('one');
    await currentAnswer(() => server.get('/v1/runs'));
    expect((await ask('only')).status).toBe(204);
    expect((await limit(null)).body).toMatchObject({ maxRunningAttempts: null });
    expect(await ask('only')).toMatchObject({ body: { contextId: other.contextId } });
    for (const id of [contextId, other.contextId])
      await server.call('POST', `/v1/contexts/${id}/run/cancel`, { body: { graceMs: 0 } });
  });

  it('protects its steps and its context until it has ended', async () => {
    const { contextId } = await start('one');
    const write = { body: { stepId: 'only', output: 1 } };
    const at = `/v1/contexts/${contextId}`;
    for (const [path, request] of [
      [`${at}/step-outputs`, write],
      [`${at}/close`, { body: {} }],
      [`${at}/run`, { body: { definitionId: 'one' } }],
    ] as const)
      expect(await server.call('POST', path, request)).toMatchObject({
        status: 409,
        body: { type: '/problems/run-state' },
      });
    await server.call('POST', `${at}/run/cancel`, { body: { reason: 'enough' } });
    expect(await runOf(contextId)).toMatchObject({ status: 'cancelled', reason: 'enough' });
    expect((await server.call('POST', `${at}/step-outputs`, write)).status).toBe(201);
    expect((await server.call('POST', `${at}/run`, { body: { definitionId: 'one' } })).status).toBe(
      201,
    );
    await server.call('POST', `${at}/run/cancel`, { body: {} });
  });

  it('refuses late reports as stale, also after its context was closed, and repeats the answer to a stored one', async () => {
    const closing = { body: {} };
    const { contextId } = await start('late');
    const { body: work } = await claim('tardy');
    await server.call('POST', `/v1/contexts/${contextId}/close?cancelRun=true`, closing);
    for (const [verb, comment] of [
      ['heartbeat', {}],
      ['complete', { output: 1 }],
      ['fail', { reason: 'no' }],
    ] as const) {
      const body = { attemptToken: work.attemptToken, ...comment };
      expect(await server.call('POST', `/v1/work/${verb}`, { body })).toMatchObject({
        status: 409,
        body: { type: '/problems/stale-attempt' },
      });
    }
    const other = await start('late');
    const { body: done } = await claim('tardy');
    const report = { body: { attemptToken: done.attemptToken, output: 1 } };
    const first = await server.call('POST', '/v1/work/complete', report);
    await server.call('POST', `/v1/contexts/${other.contextId}/close`, closing);
    const again = await server.call('POST', '/v1/work/complete', report);
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  });

  it('starts nothing while it is paused', async () => {
    const { contextId } = await start('one');
    const at = `/v1/contexts/${contextId}/run`;
    expect((await server.call('POST', `${at}/pause`, { body: { reason: 'lunch' } })).status).toBe(
      201,
    );
    expect((await server.call('POST', `${at}/pause`, { body: {} })).status).toBe(200);
    expect(await runOf(contextId)).toMatchObject({ status: 'paused', reason: 'lunch' });
    expect((await server.call('POST', `${at}/resume`)).status).toBe(201);
    await server.call('POST', `${at}/cancel`, { body: {} });
    expect((await server.call('POST', `${at}/resume`)).status).toBe(409);
  });

  it.each([
    ['there is none of that name', 'unknown', 404],
    ['it is archived', 'archived', 403],
  ])('is not started if %s', async (_, definitionId, status) => {
    const { started } = await start(definitionId);
    expect(started.status).toBe(status);
  });

  it('can be started by the principals in the definition only', async () => {
    const [ada, bob] = await Promise.all([
      server.key({ role: 'agent', agentId: 'ada' }),
      server.key({ role: 'agent', agentId: 'bob' }),
    ]);
    const body = { definitionId: 'chosen' };
    await server.call('POST', '/v1/contexts', { body: { contextId: 'chosen' } });
    const as = (key: string) => server.call('POST', '/v1/contexts/chosen/run', { body, key });
    expect((await as(bob)).status).toBe(403);
    expect((await as(ada)).status).toBe(201);
    await server.call('POST', '/v1/contexts/chosen/run/cancel', { body: {} });
  });

  it('is started once per Idempotency-Key', async () => {
    await server.call('POST', '/v1/contexts', { body: { contextId: 'keyed' } });
    const request = { body: { definitionId: 'one' }, headers: { 'Idempotency-Key': 'start-1' } };
    const first = await server.call('POST', '/v1/contexts/keyed/run', request);
    const second = await server.call('POST', '/v1/contexts/keyed/run', request);
    expect(second.body).toEqual(first.body);
    expect(first.body.runId).toEqual(expect.any(String));
    await server.call('POST', '/v1/contexts/keyed/run/cancel', { body: {} });
  });

  it('waits for people, and passes on their answers', async () => {
    const { contextId } = await start('approved');
    const key = await server.key({ role: 'agent', agentId: 'draft' });
    await finish('draft', 'first', key);
    const open = async () => {
      const query = `contextId=${contextId}`;
      const { body } = await currentAnswer(() => server.get(`/v1/approvals?${query}`));
      return body.items;
    };
    const [question, ...others] = await open();
    expect(others).toEqual([]);
    expect(question).toMatchObject({
      contextId,
      stepId: 'approve',
      path: 'approve#1',
      message: 'Approve?',
      authors: [
        {
          principal: 'draft',
          agent: null,
        },
      ],
    });
    const decide = (verdict: string, body: object, key?: string) =>
      server.call('POST', `/v1/approvals/${encodeURIComponent(question.approvalId)}/${verdict}`, {
        body,
        ...(key === undefined ? {} : { key }),
      });
    expect((await decide('approve', {}, key)).status).toBe(403);
    expect((await decide('reject', { comment: 'too long' })).status).toBe(201);
    expect((await decide('reject', { comment: 'too long' })).body.events).toEqual([]);
    expect(await decide('approve', {})).toMatchObject({
      status: 409,
      body: { type: '/problems/approval-decided' },
    });
    const { body: again } = await claim('draft', key);
    expect(again).toMatchObject({ step: { visit: 2 }, feedback: 'too long' });
    const report = { body: { attemptToken: again.attemptToken, output: 'second' } };
    await server.call('POST', '/v1/work/complete', { ...report, key: key });
    expect((await decide('approve', {})).status).toBe(409);
    const [second] = await open();
    expect(second.path).toBe('approve#2');
    const { body: inbox } = await currentAnswer(() =>
      server.get('/v1/agents/ship/inbox?limit=500'),
    );
    expect(
      inbox.items.filter((item: { contextId: string }) => item.contextId === contextId),
    ).toMatchObject([{ kind: 'run', entry: { approval: { approvalId: second.approvalId } } }]);
    const answered = `/v1/approvals/${encodeURIComponent(second.approvalId)}`;
    const { headers } = await server.get(`/v1/contexts/${contextId}`);
    const receipt = String(headers['receipt']);
    const cited = { headers: { 'Based-On': receipt } };
    expect((await server.call('POST', `${answered}/approve`, cited)).status).toBe(201);
    const decisions = `/v1/contexts/${contextId}/events?type=ApprovalDecided`;
    expect((await server.get(decisions)).body.items.at(-1)).toMatchObject({ basedOn: receipt });
    await finish('ship', true);
    expect(await runOf(contextId)).toMatchObject({ status: 'completed' });
    const unknown = `/v1/approvals/${contextId}~none~approve~1/approve`;
    expect((await server.call('POST', unknown)).status).toBe(404);
    expect((await server.call('POST', '/v1/approvals/nonsense/approve')).status).toBe(404);
  });

  it('fails if a worker does not report in time', async () => {
    const { contextId } = await start('slow');
    const { body } = await claim('sleeper');
    const run = await waitFor('the end of the run', () => runOf(contextId), {
      until: ({ status }) => status !== 'running',
    });
    expect(run).toMatchObject({ status: 'failed', failedStep: { stepId: 'sleeper', attempts: 1 } });
    const late = { body: { attemptToken: body.attemptToken, output: 1 } };
    expect((await server.call('POST', '/v1/work/complete', late)).status).toBe(409);
  });

  it('cannot be read before it was started', async () => {
    await server.call('POST', '/v1/contexts', { body: { contextId: 'idle' } });
    expect((await server.get('/v1/contexts/idle/run')).status).toBe(404);
    expect((await server.get('/v1/contexts/idle')).body.run).toBeNull();
  });
});
