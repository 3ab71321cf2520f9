import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  const agent = (agentId: string, contract: object) =>
    server.post('/v1/agents', { agentId, name: agentId, role: agentId, kind: 'llm', contract });
  await agent('analyst', {
    outputs: { project_brief: { qualityThresholds: { clarity_score: 7 } } },
  });
  await agent('pm', {
    inputs: { brief: { path: 'analyst.outputs.project_brief', qualityThreshold: 6 } },
  });
}, 120_000);

afterAll(() => server.stop());

const target = { agent: 'analyst', output: 'project_brief' };

async function contextWithBrief(contextId: string): Promise<string> {
  const path = await server.context(contextId);
  const output = { stepId: 'analysis', name: 'project_brief', output: {}, agentId: 'analyst' };
  await server.post(`${path}/step-outputs`, output);
  return path;
}

/** Scores the brief, and returns the stored events. */
async function score(path: string, scores: object, data: object = {}) {
  const events = [{ type: 'QualityScored', data: { ...target, scores, ...data } }];
  const { status, body } = await server.post(`${path}/events`, { events });
  const types = body.events?.map(({ type }: { type: string }) => type);
  return { status, body, types };
}

describe('quality gates', () => {
  it('pass or fail in the write that states the scores, separately for each agent that requires them', async () => {
    const path = await contextWithBrief('gated');
    const { status, types } = await score(path, { clarity_score: 6.5, overall_score: 6 });
    expect(status).toBe(201);
    expect(types).toEqual(['QualityScored', 'GateFailed', 'GatePassed']);
    const { body } = await server.get(`${path}/events?types=GatePassed,GateFailed`);
    expect(body.items.map(({ data }: { data: object }) => data)).toEqual([
      { ...target, gate: 'clarity_score', score: 6.5, threshold: 7 },
      { ...target, gate: 'overall_score', for: 'pm', score: 6, threshold: 6 },
    ]);
    expect((await server.get(path)).body.quality).toEqual({
      inputs: {},
      outputs: {
        analyst: {
          project_brief: {
            scores: { clarity_score: 6.5, overall_score: 6 },
            gates: [
              { gate: 'clarity_score', score: 6.5, threshold: 7, status: 'failed' },
              { gate: 'overall_score', for: 'pm', score: 6, threshold: 6, status: 'passed' },
            ],
            agentId: 'admin',
            timestamp: expect.any(String),
            version: 3,
            current: true,
          },
        },
      },
      gates: { passed: 1, failed: 1 },
      overallScore: 6,
    });
  });

  it('do not decide on scores that are missing', async () => {
    const path = await contextWithBrief('unmeasured');
    expect((await score(path, { feasibility_score: 9 })).types).toEqual(['QualityScored']);
  });

  it('remain until other scores are stated; the same scores add no event', async () => {
    const path = await contextWithBrief('repeated');
    await score(path, { overall_score: 5 });
    expect(await score(path, { overall_score: 5 })).toMatchObject({ status: 200, types: [] });
    expect((await score(path, { overall_score: 7 })).types).toEqual([
      'QualityScored',
      'GatePassed',
    ]);
    const { body } = await server.get(`${path}?asOf=4`);
    expect(body.quality.gates).toEqual({ passed: 0, failed: 1 });
  });

  it('apply to the output at the time of its scores', async () => {
    const path = await contextWithBrief('again');
    await score(path, { overall_score: 9 });
    const output = { stepId: 'analysis', name: 'project_brief', output: 2, agentId: 'analyst' };
    await server.post(`${path}/step-outputs`, output);
    const { quality } = (await server.get(path)).body;
    expect(quality.outputs.analyst.project_brief.current).toBe(false);
    expect((await score(path, { overall_score: 9 })).status).toBe(201);
  });

  it('apply to an output of the same batch', async () => {
    const path = await server.context('batched');
    const output = { stepId: 's', name: 'project_brief', output: {} };
    const { body } = await server.post(`${path}/events`, {
      agentId: 'analyst',
      events: [
        { type: 'StepOutputAdded', data: output },
        { type: 'QualityScored', data: { ...target, scores: { overall_score: 9 } } },
      ],
    });
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'StepOutputAdded',
      'QualityScored',
      'GatePassed',
    ]);
  });

  it.each([
    ['unknown', '/output', { output: 'nothing', scores: { a: 1 } }],
    ['empty', '/scores', { scores: {} }],
    ['text', '/scores', { scores: { a: '9' } }],
    ['misnamed', '/scores', { scores: { 'a b': 9 } }],
  ])('refuse a score that is %s, at %s', async (contextId, pointer, data) => {
    const path = await contextWithBrief(contextId);
    const { status, body } = await score(path, {}, data);
    expect([status, body.errors[0].pointer]).toEqual([422, `/events/0/data${pointer}`]);
  });

  it.each(['GatePassed', 'GateFailed', 'AgentInputsChecked'])(
    'cannot be claimed by clients: %s',
    async (type) => {
      const path = await server.context('claimed');
      const data = { ...target, gate: 'overall_score', score: 9, threshold: 1 };
      const { status } = await server.post(`${path}/events`, { events: [{ type, data }] });
      expect(status).toBe(422);
    },
  );

  it('are forked and restored with their context', async () => {
    const path = await contextWithBrief('forked');
    await score(path, { overall_score: 9 });
    const { body } = await server.post(`${path}/forks`, { atVersion: 4, contextId: 'fork' });
    expect(body.contextId).toBe('fork');
    const fork = await server.get('/v1/contexts/fork');
    expect(fork.body.quality.outputs.analyst.project_brief).toMatchObject({ current: true });
    await server.post(`${path}/restore`, { version: 2 });
    expect((await server.get(path)).body.quality).toEqual({});
  });
});
