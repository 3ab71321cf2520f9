import { createHash } from 'node:crypto';

import { waitFor } from '#testing';

import {
  withoutPlanner,
  eventsOf,
  keyOfCoder,
  dependentWorkflow,
  startRun,
} from './narrow-worker.js';
import { type Reply, ThroughlineServer } from './throughline-server.js';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

let server: ThroughlineServer;
let narrow: string;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  narrow = await keyOfCoder(server, definitions);
}, 120_000);

afterAll(() => server.stop());

const definitions = [
  {
    id: 'cold',
    steps: [
      { ...agent('plan', { next: 'style', output: 'blueprint' }), agent: 'planner' },
      agent('style', { next: 'code' }),
      { ...agent('code', { input: 'style', next: 'review' }), agent: 'coder' },
      agent('review'),
    ],
  },
  dependentWorkflow,
  {
    id: 'retried',
    steps: [
      { ...agent('plan', { next: 'code' }), agent: 'planner' },
      {
        ...agent('code', {
          input: 'plan',
          retry: { max_attempts: 2, delay_ms: 300, jitter: 'none' },
        }),
        agent: 'coder',
      },
    ],
  },
  {
    id: 'derived',
    steps: [
      { id: 'count', type: 'transform', transform: 'metadata.iterationCount', next: 'code' },
      { ...agent('code', { input: 'count' }), agent: 'coder' },
    ],
  },
  {
    id: 'reworked',
    steps: [
      agent('draft', { next: 'approve' }),
      { id: 'approve', type: 'approval', on_approve: 'build', on_reject: 'redo' },
      { ...agent('redo', { next: 'approve' }), agent: 'coder' },
      agent('build', { on_error: 'fix' }),
      { ...agent('fix'), agent: 'coder' },
    ],
  },
  {
    id: 'rounds',
    steps: [
      {
        id: 'both',
        type: 'parallel',
        next: 'again',
        steps: [agent('unit'), { ...agent('look'), agent: 'coder' }],
      },
      { id: 'again', type: 'condition', condition: 'true', then: { to: 'both', max_visits: 1 } },
    ],
  },
  { id: 'single', steps: [{ ...agent('code'), agent: 'coder' }] },
];

let contexts = 0;

async function start(definitionId: string): Promise<string> {
  const contextId = `narrow-${++contexts}`;
  await startRun(server, contextId, definitionId);
  return contextId;
}

const as = (key: string | undefined) => (key === undefined ? {} : { key });

/** The rows that claims read may lag behind the log. */
function claim(agentId: string, key?: string): Promise<Reply> {
  const request = { body: { agents: [agentId] }, ...as(key) };
  return waitFor(`work for ${agentId}`, () => server.call('POST', '/v1/work/claim', request), {
    until: ({ status }) => status !== 204,
  });
}

async function finish(agentId: string, output: unknown): Promise<void> {
  const { attemptToken } = (await claim(agentId)).body;
  const { status } = await server.post('/v1/work/complete', { attemptToken, output });
  expect(status).toBe(201);
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

describe('a worker whose key has a narrower audience', () => {
  it('receives its visible content, and reports like every worker', async () => {
    const contextId = await start('cold');
    await finish('planner', { secret: 'zebra' });
    await finish('style', 'terse');
    const { status, text, body: work } = await claim('coder', narrow);
    expect([status, work.input, work.references]).toEqual([200, 'a task', { style: 'terse' }]);
    expect([work.context, text.includes('zebra')]).toEqual([{ style: 'terse' }, false]);
    const input = [work.input, work.references, work.context, work.failure, work.feedback];
    const { workspace } = server;
    expect(work.effectKey).toBe(
      sha256([workspace, contextId, work.runId, work.step.path, sha256(input)]),
    );

    const { attemptToken } = work;
    const request = (more: object) => ({ body: { attemptToken, ...more }, key: narrow });
    const heartbeat = await server.call('POST', '/v1/work/heartbeat', request({}));
    expect(heartbeat).toMatchObject({ status: 200, body: { cancelRequested: false } });
    const report = request({ output: { file: 'a.ts' } });
    const done = await server.call('POST', '/v1/work/complete', report);
    expect([done.status, done.body.events]).toMatchObject([201, [{ type: 'StepOutputAdded' }]]);
    expect(done.body.events).toHaveLength(1);
    const again = await server.call('POST', '/v1/work/complete', report);
    expect(again.body).toEqual(done.body);
    const otherwise = await server.call('POST', '/v1/work/complete', request({ output: 1 }));
    expect(otherwise).toMatchObject({ status: 409, body: { type: '/problems/stale-attempt' } });

    const auditor = await server.key({ role: 'auditor' });
    const all = await eventsOf(server, contextId, auditor);
    const visible = await eventsOf(server, contextId, narrow);
    expect(JSON.stringify(all)).toContain('zebra');
    expect(JSON.stringify(visible)).not.toContain('zebra');
    const starts = ({ type }: { type: string }) => type === 'StepAttemptStarted';
    expect(all.filter(starts).every(({ data }) => 'effectKey' in data)).toBe(true);
    expect(visible.filter(starts)).toHaveLength(2);
    for (const { data } of visible.filter(starts))
      expect(Object.keys(data)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(effectKey|tokenHash|receipt)$/)]),
      );
    const { body: review } = await claim('review');
    expect(review.context).toMatchObject({ plan: { secret: 'zebra' }, code: { file: 'a.ts' } });
  });

  it('leaves a step with hidden inputs to a worker to whom they are visible', async () => {
    await start('needy');
    await finish('planner', 'zebra');
    const body = { agents: ['coder'], wait: 2 };
    const [declined, taken] = await Promise.all(
      [narrow, undefined].map((key) => server.call('POST', '/v1/work/claim', { body, ...as(key) })),
    );
    expect([declined?.status, taken?.status]).toEqual([204, 200]);
    expect(taken?.body.references).toEqual({ plan: 'zebra' });
  });

  it('leaves a retry with hidden inputs to a waiting worker to whom they are visible', async () => {
    const contextId = await start('retried');
    await finish('planner', 'zebra');
    const { attemptToken } = (await claim('coder')).body;
    const others = await Promise.all(
      [1, 2, 3].map(async (each) => {
        const audience = `coders-${each}`;
        const put = await server.call('PUT', `/v1/policies/${audience}`, { body: withoutPlanner });
        expect(put.status).toBe(200);
        return server.key({ role: 'agent', agentId: 'coder', audiences: [audience] });
      }),
    );
    const body = { agents: ['coder'], wait: 10 };
    const stop = new AbortController();
    const declined = others.map((key) =>
      server.call('POST', '/v1/work/claim', { body, key, signal: stop.signal }),
    );
    const taken = server.call('POST', '/v1/work/claim', { body });
    const failed = { attemptToken, reason: 'again', retryable: true };
    expect((await server.post('/v1/work/fail', failed)).status).toBe(201);
    expect(await taken).toMatchObject({ status: 200, body: { contextId } });
    stop.abort();
    await Promise.allSettled(declined);
  });

  it('receives visible work, regardless of the number of hidden attempts before it', async () => {
    const hidden: string[] = [];
    for (let each = 0; each < 25; each++) hidden.push(await start('derived'));
    const contextId = await start('single');
    const { body: work } = await claim('coder', narrow);
    expect(work.contextId).toBe(contextId);
    for (const each of hidden) {
      const run = (await server.get(`/v1/contexts/${each}/run`)).body;
      expect(run.status).toBe('running');
      await server.post(`/v1/contexts/${each}/run/cancel`, { graceMs: 0 });
    }
  });

  it('receives a filtered view with a receipt instead of a large context', async () => {
    const view = { maxTokens: 400 };
    const registered = await server.call('PUT', '/v1/agents/coder', {
      body: { name: 'Coder', role: 'codes', kind: 'llm', view },
    });
    expect(registered.status).toBeLessThan(300);
    const contextId = await start('cold');
    await finish('planner', 'zebra '.repeat(2_000));
    await finish('style', 'a word '.repeat(2_000));
    const { body: work } = await claim('coder', narrow);
    expect(work).toMatchObject({ contextId, view: expect.any(String) });
    expect([work.context, work.view.includes('zebra')]).toEqual([undefined, false]);
    const receipt = await server.get(`/v1/receipts/${work.receipt}`, { key: narrow });
    expect(receipt).toMatchObject({ status: 200, body: { audience: 'coders' } });
  });
});

describe('a branch of such a worker', () => {
  it('receives the outputs of the round before if they are visible', async () => {
    const contextId = await start('rounds');
    await finish('unit', 'first');
    await finish('coder', 'looked');
    await finish('unit', 'second');
    const { body: work } = await claim('coder', narrow);
    expect([work.contextId, work.step.path]).toEqual([contextId, 'look#2']);
    expect(work.context).toEqual({ unit: 'first', look: 'looked' });
    await server.post(`/v1/contexts/${contextId}/run/cancel`, { graceMs: 0 });
  });
});

describe('the cause of a step of such a worker', () => {
  const withoutApprovals = { show: [{ types: ['*'] }], hide: [{ types: ['ApprovalDecided'] }] };
  const failures = { show: [{ types: ['*'] }], hide: [{ types: ['StepAttemptFailed'] }] };

  it.each([
    { hidden: 'feedback', policy: withoutApprovals, feedback: null, message: 'it broke' },
    { hidden: 'failures', policy: failures, feedback: 'too long', message: undefined },
  ])('is limited to its visible content, without $hidden', async ({ hidden, policy, ...cause }) => {
    const audience = `without-${hidden}`;
    expect((await server.call('PUT', `/v1/policies/${audience}`, { body: policy })).status).toBe(
      200,
    );
    const key = await server.key({ role: 'agent', agentId: 'coder', audiences: [audience] });
    const contextId = await start('reworked');
    const decide = async (verdict: string, body: object) => {
      const run = (await server.get(`/v1/contexts/${contextId}/run`)).body;
      const at = `/v1/approvals/${encodeURIComponent(run.active[0].approval.approvalId)}`;
      const person = await server.key({ role: 'operator' });
      expect((await server.post(`${at}/${verdict}`, body, { key: person })).status).toBe(201);
    };
    await finish('draft', 'first');
    await decide('reject', { comment: 'too long' });
    const { body: redo } = await claim('coder', key);
    expect([redo.contextId, redo.feedback]).toEqual([contextId, cause.feedback]);
    const second = { attemptToken: redo.attemptToken, output: 'second' };
    expect((await server.post('/v1/work/complete', second, { key })).status).toBe(201);
    await decide('approve', {});
    const { attemptToken } = (await claim('build')).body;
    await server.post('/v1/work/fail', { attemptToken, reason: 'it broke', retryable: false });
    const { body: fix } = await claim('coder', key);
    expect([fix.step.id, fix.failure?.message]).toEqual(['fix', cause.message]);
    expect(fix.context).toEqual({ draft: 'first', redo: 'second' });
    await server.post(`/v1/contexts/${contextId}/run/cancel`, { graceMs: 0 });
  });
});

describe('a key with few rights', () => {
  it('receives no work of agents for which it may not act', async () => {
    await start('single');
    const otherKey = await server.key({
      role: 'agent',
      agentId: 'mallory',
      audiences: ['coders'],
    });
    for (const agents of [['coder'], ['mallory', 'coder'], ['nobody']])
      for (const wait of [0, 1]) {
        const refused = await server.call('POST', '/v1/work/claim', {
          body: { agents, wait },
          key: otherKey,
        });
        expect(refused.status).toBe(403);
      }
    expect((await claim('coder', narrow)).status).toBe(200);
  });

  it('cannot use the token of another key, or an invented one', async () => {
    const contextId = await start('single');
    const { body: work } = await claim('coder', narrow);
    expect(work.contextId).toBe(contextId);
    const { body: inventedToken } = await server.post('/v1/keys', {
      role: 'agent',
      agentId: 'coder',
      audiences: ['coders'],
    });
    const [place, secret] = JSON.parse(Buffer.from(work.attemptToken, 'base64url').toString());
    const tokenOf = (parts: readonly unknown[]) =>
      Buffer.from(JSON.stringify([parts, secret])).toString('base64url');
    const ownToken = [...place.slice(0, -1), inventedToken.keyId];
    const outOfLimits = await start('single');
    const forged = [
      ownToken,
      [outOfLimits, ...ownToken.slice(1)],
      [...ownToken.slice(0, 2), 'other', ...ownToken.slice(3)],
    ];
    const tokens = [
      [work.attemptToken, 403],
      ...forged.map((parts) => [tokenOf(parts), 409] as const),
      [tokenOf(['unknown', ...ownToken.slice(1)]), 404],
      [tokenOf([...ownToken.slice(0, -2), 'planner', inventedToken.keyId]), 403],
    ] as const;
    for (const [attemptToken, status] of tokens)
      for (const [path, more] of [
        ['heartbeat', {}],
        ['complete', { output: 1 }],
        ['fail', { reason: 'r' }],
      ] as const)
        expect(
          await server.post(
            `/v1/work/${path}`,
            { attemptToken, ...more },
            { key: inventedToken.secret },
          ),
        ).toMatchObject({
          status,
          body: status === 409 ? { type: '/problems/stale-attempt' } : {},
        });
    const { attemptToken } = work;
    const request = { body: { attemptToken, output: 1 }, key: narrow };
    expect((await server.call('POST', '/v1/work/complete', request)).status).toBe(201);
  });

  it('receives no work of contexts beyond its limits, regardless of the time that it waits', async () => {
    const limited = await server.key({
      role: 'agent',
      agentId: 'coder',
      audiences: ['coders'],
      contexts: ['none'],
    });
    const body = { agents: ['coder'], wait: 1 };
    const waiting = server.call('POST', '/v1/work/claim', { body, key: limited });
    const contextId = await start('single');
    expect((await waiting).status).toBe(204);
    expect((await server.get(`/v1/contexts/${contextId}/run`)).body.active).toMatchObject([
      { stepId: 'code', status: 'scheduled' },
    ]);
  });

  it('starts, pauses and decides nothing', async () => {
    const contextId = await start('single');
    const at = `/v1/contexts/${contextId}/run`;
    for (const [path, body] of [
      [at, { definitionId: 'single' }],
      ...['pause', 'resume', 'cancel'].map((verb) => [`${at}/${verb}`, {}] as const),
      [`/v1/approvals/${contextId}~r~s~1/approve`, {}],
    ] as const)
      expect((await server.post(path, body, { key: narrow })).status).toBe(403);
    expect((await server.get(at, { key: narrow })).status).toBe(404);
  });
});
