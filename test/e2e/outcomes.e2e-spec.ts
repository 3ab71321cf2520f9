import { currentAnswer } from './caught-up.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const output = { type: 'StepOutputAdded', data: { stepId: 'build', output: 'done' } };
const blocked = {
  type: 'SignalEmitted',
  data: { signal: 'IMPLEMENTATION BLOCKED', subject: 's-1', detail: { reason: 'no licence' } },
};
const blocker = { type: 'BlockerRaised', data: { blockerId: 'B-1', description: 'no licence' } };
const rejected = {
  type: 'ReviewRecorded',
  data: { reviewId: 'r1', artifact: 'a.md', status: 'REJECTED_WITH_FEEDBACK' },
};
const passed = { type: 'SignalEmitted', data: { signal: 'REVIEW PASSED', subject: 's-1' } };
const started = { type: 'StepStarted', data: { stepId: 'review' } };
const requested = {
  type: 'InputRequested',
  data: { inputRequestId: 'IN-1', path: 'p', from: 'sdd-pe' },
};

const cases = [
  ['blocked', [blocked], 'blocked'],
  ['blocked', [output, blocker], 'blocked'],
  ['failed', [output, rejected], 'failed'],
  ['in_progress', [output, started], 'running'],
  ['waiting', [output, requested], 'waiting'],
  ['unknown', [output], 'unknown'],
  ['completed', [output, passed], 'completed'],
] as const;

describe('the outcome of a context', () => {
  it.each(cases)('is %s in document, list, view and check', async (outcome, events, word) => {
    const contextId = `outcome-${cases.findIndex((one) => one[1] === events)}`;
    const path = await server.context(contextId);
    await server.post(`${path}/events`, { events });
    expect((await server.get(path)).body.outcome).toBe(outcome);
    const { outcome: ownOutcome, ...others } = (await server.get(`${path}?parts=outcome`)).body;
    expect([ownOutcome, others.stepOutputs]).toEqual([outcome, undefined]);
    const { text } = (await server.get(`${path}/view`)).body;
    expect(text).toMatch(new RegExp(`\\n## state: .*status ${word}\\n$`));
    expect((await server.get(`${path}/check`)).body.outcome).toBe(outcome);
    const { items } = (await currentAnswer(() => server.get('/v1/contexts?limit=500'))).body;
    const listed = items.find((item: { contextId: string }) => item.contextId === contextId);
    expect(listed.outcome).toBe(outcome);
  });

  it('is the stated one after the context was closed, for every audience; a fork does not inherit it', async () => {
    const path = await server.context('stated');
    await server.post(`${path}/events`, { events: [blocked] });
    await server.post(`${path}/close`, { outcome: 'skipped' });
    const key = await server.key({ role: 'agent', agentId: 'cold', audiences: ['reviewer'] });
    for (const options of [{}, { key }])
      expect((await server.get(path, options)).body).toMatchObject({ outcome: 'skipped' });
    const { items } = (await currentAnswer(() => server.get('/v1/contexts?limit=500', { key })))
      .body;
    expect(items.find(({ contextId }: { contextId: string }) => contextId === 'stated')).toEqual(
      expect.objectContaining({ status: 'closed', outcome: 'skipped' }),
    );
    await server.post(`${path}/forks`, { atVersion: 3, contextId: 'stated-fork' });
    expect((await server.get('/v1/contexts/stated-fork')).body.outcome).toBe('blocked');
    await server.post(`${path}/reopen`);
    await server.post(`${path}/restore`, { version: 1 });
    expect((await server.get(path)).body.outcome).toBe('not_started');
  });

  it('reveals nothing that is hidden from an audience', async () => {
    const [hidden, plain] = [await server.context('hidden'), await server.context('plain')];
    const key = await server.key({ role: 'agent', agentId: 'cold', audiences: ['reviewer'] });
    const proposed = { type: 'DecisionRecorded', data: { decision: 'd', requiresApproval: true } };
    const events = [blocked, blocker, rejected, started];
    await server.post(`${hidden}/events`, { events });
    await server.post(`${hidden}/steps/build/fail`, { reason: 'secret', tried: ['a'] });
    const visibleTo = async (path: string) => {
      const { body } = await server.get(path, { key });
      const view = await server.get(`${path}/view`, { key });
      const check = await server.get(`${path}/check`, { key });
      const { outcome, currentState, failedSteps } = body;
      const state = view.body.text.split('\n').at(-2);
      const { ok, findings, outcome: checked } = check.body;
      return { outcome, currentState, failedSteps, state, ok, findings, checked };
    };
    expect(await visibleTo(hidden)).toEqual(await visibleTo(plain));
    const waiting = await server.context('waiting');
    expect((await server.post(`${waiting}/events`, { events: [proposed] })).status).toBe(201);
    expect((await server.get(waiting)).body.outcome).toBe('waiting');
    expect(await visibleTo(waiting)).toEqual(await visibleTo(plain));
    const asChild = async (events: readonly object[]) => {
      const parent = `parent-of-${events.length}`;
      const child = `child-of-${parent}`;
      await server.context(parent);
      await server.post('/v1/contexts', { contextId: child, parent });
      await server.post(`/v1/contexts/${child}/events`, { events: [output, ...events] });
      await server.post(`/v1/contexts/${child}/close`);
      const path = `/v1/contexts/${parent}`;
      const view = await server.get(`${path}/view?focus=retrospective`, { key });
      const item = await server.get(`${path}/items/context:${child}`, { key });
      expect([view.status, item.status]).toEqual([200, 200]);
      return JSON.stringify([view.body.text, item.body.text]).replaceAll(parent, 'parent');
    };
    expect(await asChild([proposed])).toBe(await asChild([]));
    const { items } = (await currentAnswer(() => server.get('/v1/contexts?limit=500', { key })))
      .body;
    for (const contextId of ['hidden', 'plain'])
      expect(items.find((item: { contextId: string }) => item.contextId === contextId)).toEqual(
        expect.objectContaining({ outcome: null }),
      );
  });
});

describe('the steps of a context', () => {
  it('have the active ones, and the failed ones with reason and attempts', async () => {
    const path = await server.context('steps');
    for (const stepId of ['a', 'b', 'c']) await server.post(`${path}/steps/${stepId}/start`);
    const failure = { reason: 'no schema', tried: ['one big prompt'], agentId: 'pm' };
    await server.post(`${path}/steps/b/fail`, failure);
    const failedSteps = [{ stepId: 'b', version: 5, ...failure }];
    for (const query of ['', '?parts=currentState,failedSteps', '?asOf=5']) {
      const { body } = await server.get(`${path}${query}`);
      expect(body.currentState).toMatchObject({ activeSteps: ['a', 'c'], failedSteps });
      expect(body.failedSteps).toEqual(failedSteps);
    }
    const { currentState, outcome } = (await server.get(path)).body;
    const written = await server.call('PUT', path, {
      headers: { 'if-match': '"5"' },
      body: { currentState, failedSteps, outcome },
    });
    expect([written.status, written.body.events]).toEqual([200, []]);
    await server.post(`${path}/steps/b/start`);
    const { body } = await server.get(path);
    expect(body.currentState).toMatchObject({ activeSteps: ['a', 'c', 'b'], failedSteps: [] });
  });

  it('are the same with any other members, and are written back unchanged', async () => {
    const path = await server.context('failed-steps');
    const events = [
      { type: 'StepFailed', data: { stepId: 'b', reason: 'no schema', tried: ['a'] } },
      { type: 'StepStarted', data: { stepId: 'c' } },
    ];
    await server.post(`${path}/events`, { events });
    const audiences = ['all', 'failure-analyst', 'reviewer', 'developer'];
    for (const audience of audiences) {
      const key = await server.key({
        role: 'agent',
        agentId: `pm-${audience}`,
        audiences: [audience],
      });
      const full = await server.get(path, { key });
      for (const query of ['', '?parts=failedSteps,agents', '?parts=currentState,agents']) {
        const { headers, body } = await server.get(`${path}${query}`, { key });
        expect(full.body).toMatchObject(body);
        const written = await server.call('PUT', path, {
          key,
          body,
          headers: { 'if-match': String(headers['etag']) },
        });
        expect([audience, query, written.status, written.body.events ?? written.body]).toEqual([
          audience,
          query,
          200,
          [],
        ]);
      }
    }
    const { failedSteps } = (await server.get(`${path}?parts=failedSteps,agents`)).body;
    expect(failedSteps).toMatchObject([{ stepId: 'b', reason: 'no schema', tried: ['a'] }]);
  });
});

describe('the check of a context', () => {
  it('reports tasks that are completed too early, and open work of a closed context', async () => {
    await server.post('/v1/contexts', { contextId: 'checked', title: 'User authentication' });
    const path = '/v1/contexts/checked';
    const agentId = 'sdd-coder';
    await server.post(`${path}/tasks`, { taskId: 'task-001', title: 'User model' });
    const dependent = { taskId: 'task-002', title: 'Registration', dependsOn: ['task-001'] };
    await server.post(`${path}/tasks`, dependent);
    expect((await server.post(`${path}/tasks/task-002/complete`, { agentId })).status).toBe(201);
    const { body } = await server.get(path);
    expect(body.tasks[1]).toMatchObject({ agentId, completedBy: agentId });
    expect(body.agents).toMatchObject({ 'sdd-coder': { status: 'completed' } });
    const findings = async () =>
      (await server.get(`${path}/check`)).body.findings.map(
        ({ code, ref }: { code: string; ref: string }) => `${code} ${ref}`,
      );
    expect(await findings()).toEqual(['dependency-unmet task:task-002']);
    await server.post(`${path}/close`);
    expect((await server.get(path)).body.outcome).toBe('unknown');
    expect(await findings()).toEqual([
      'dependency-unmet task:task-002',
      'open-when-closed task:task-001',
    ]);
  });
});
