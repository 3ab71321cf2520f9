import { type CallOptions, ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
/** The key of each agent. */
const keys: Record<string, CallOptions> = {};

const contracts = {
  analyst: {
    inputs: {
      user_specification: {
        path: 'project_metadata.specification',
        minLength: 50,
        mustContain: ['problem', 'solution', 'users'],
      },
    },
  },
  pm: {
    inputs: {
      analyst_project_brief: {
        path: 'analyst.outputs.project_brief',
        requiredSections: ['problem_statement', 'target_users', 'core_features'],
        qualityThreshold: 6,
      },
      technical_preferences: { path: 'global_context.technical_preferences', required: false },
    },
    outputs: {
      prd: {
        schema: { type: 'object', required: ['structured_data'] },
        qualityThresholds: { story_completeness: 7 },
      },
    },
  },
  architect: {
    inputs: {
      pm_prd: {
        path: 'pm.outputs.prd',
        requiredSections: ['functional_requirements', 'non_functional_requirements'],
        qualityThreshold: 7,
      },
      technical_constraints: {
        path: 'analyst.outputs.project_brief.structured_data.technical_constraints',
        format: 'array',
      },
    },
  },
  ux_expert: {
    inputs: {
      user_requirements: { path: 'pm.outputs.prd.structured_data.user_stories', minCount: 3 },
      target_users: {
        path: 'analyst.outputs.project_brief.structured_data.target_users',
        minCount: 1,
      },
    },
  },
};

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  for (const [agentId, contract] of Object.entries(contracts)) {
    const agent = { agentId, name: agentId.toUpperCase(), role: agentId, kind: 'llm', contract };
    await server.post('/v1/agents', agent);
    keys[agentId] = { key: await server.key({ role: 'agent', agentId }) };
  }
}, 120_000);

afterAll(() => server.stop());

const brief = {
  file_reference: 'artifacts/project-brief.md',
  structured_data: {
    problem_statement: 'Carts are left behind',
    target_users: ['shoppers', 'support'],
    core_features: ['cart', 'checkout', 'refunds'],
    technical_constraints: ['PCI DSS'],
  },
};
const stories = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `S-${at}` }));
const prd = (count: number) => ({
  structured_data: {
    user_stories: stories(count),
    functional_requirements: ['pay'],
    non_functional_requirements: ['fast'],
  },
});

/** The result of a check, without the fields that describe its recording. */
async function check(path: string, agentId: string, options: CallOptions = keys[agentId] ?? {}) {
  const { status, body } = await server.post(`${path}/agents/${agentId}/check`, undefined, options);
  const { ok, missing, failed, version, events } = body;
  return {
    status,
    ok,
    missing,
    failed,
    version,
    types: events?.map((one: { type: string }) => one.type),
  };
}

/** Adds an output of an agent under a name; `more` has further members of the request. */
function add(path: string, [agent, name]: [string, string], output: unknown, more: object = {}) {
  const body = { stepId: `${agent}-${name}`, name, output, ...more };
  return server.post(`${path}/step-outputs`, body, keys[agent]);
}

function score(path: string, agent: string, output: string, scores: object) {
  const events = [{ type: 'QualityScored', data: { agent, output, scores } }];
  return server.post(`${path}/events`, { events });
}

describe('the check of an agent', () => {
  it('reports each missing input with its path, and is recorded once', async () => {
    const path = await server.context('missing');
    const missing = [
      {
        input: 'analyst_project_brief',
        path: 'analyst.outputs.project_brief',
        detail: '"analyst" has added no output named "project_brief"',
      },
    ];
    const first = await check(path, 'pm');
    expect(first).toEqual({
      status: 201,
      ok: false,
      missing,
      failed: [],
      version: 2,
      types: ['AgentInputsChecked'],
    });
    expect(await check(path, 'pm')).toEqual({ ...first, status: 200, types: [] });
    const { body } = await server.get(path);
    expect(body.quality.inputs).toEqual({
      pm: {
        ok: false,
        missing,
        failed: [],
        agentVersion: 1,
        agentId: 'pm',
        timestamp: expect.any(String),
        version: 2,
      },
    });
  });

  it('reports each input that fails its contract: sections, counts, formats, schemas and scores', async () => {
    const path = await server.context('failing');
    const { technical_constraints, ...otherData } = brief.structured_data;
    const incompleteData = {
      ...otherData,
      target_users: [],
      technical_constraints: technical_constraints[0],
    };
    await add(path, ['analyst', 'project_brief'], { structured_data: incompleteData });
    await add(path, ['pm', 'prd'], prd(2));
    await score(path, 'analyst', 'project_brief', { overall_score: 5.5 });
    const failuresOf = async (agentId: string) =>
      (await check(path, agentId)).failed.map(
        ({ input, rule, detail }: Record<string, string>) => `${input} ${rule}: ${detail}`,
      );
    expect(await failuresOf('pm')).toEqual([
      'analyst_project_brief requiredSections: "target_users" is missing or blank',
      'analyst_project_brief qualityThreshold: has an overall_score of 5.5, at least 6 needed',
    ]);
    expect(await failuresOf('architect')).toEqual([
      'pm_prd qualityThreshold: has no overall_score, at least 7 needed',
      'technical_constraints format: is string, not array',
    ]);
    expect(await failuresOf('ux_expert')).toEqual([
      'user_requirements minCount: has 2 entries, at least 3 needed',
      'target_users minCount: has 0 entries, at least 1 needed',
    ]);
    await add(path, ['pm', 'prd'], { text: 'only words' });
    expect(await failuresOf('architect')).toContain(
      'pm_prd outputSchema: /structured_data is missing',
    );
  });

  it('compares a text with its length limits and its required words', async () => {
    const metadata = { specification: 'A solution.' };
    await server.post('/v1/contexts', { contextId: 'specified', metadata });
    const { ok, failed } = await check('/v1/contexts/specified', 'analyst');
    expect(ok).toBe(false);
    expect(failed.map(({ rule, detail }: Record<string, string>) => `${rule}: ${detail}`)).toEqual([
      'mustContain: "problem" is nowhere in it',
      'mustContain: "users" is nowhere in it',
      'minLength: has 11 characters, at least 50 needed',
    ]);
  });

  it('passes once all inputs exist, and uses current values instead of earlier ones', async () => {
    const path = await server.context('passing');
    await add(path, ['analyst', 'project_brief'], brief);
    await score(path, 'analyst', 'project_brief', { overall_score: 8 });
    expect(await check(path, 'pm')).toMatchObject({
      status: 201,
      ok: true,
      missing: [],
      failed: [],
    });
    await add(path, ['analyst', 'project_brief'], brief);
    expect((await check(path, 'pm')).failed).toMatchObject([
      { rule: 'qualityThreshold', detail: expect.stringContaining('has not been scored since') },
    ]);
    await score(path, 'analyst', 'project_brief', { overall_score: 8 });
    expect(await check(path, 'pm')).toMatchObject({ ok: true });
  });

  it('uses the score in the output itself if no score was recorded', async () => {
    const path = await server.context('self-scored');
    await add(path, ['analyst', 'project_brief'], {
      ...brief,
      quality_metrics: { overall_score: 9 },
    });
    expect(await check(path, 'pm')).toMatchObject({ ok: true });
    await score(path, 'analyst', 'project_brief', { overall_score: 3 });
    expect(await check(path, 'pm')).toMatchObject({ ok: false });
  });

  it('finds an output by the name that the agent gave it, even after a later output of the same step', async () => {
    const path = await server.context('renamed');
    const shared = { stepId: 'shared' };
    await add(path, ['pm', 'prd'], prd(3), shared);
    await add(path, ['analyst', 'project_brief'], brief, shared);
    expect(await check(path, 'ux_expert')).toMatchObject({ ok: true });
  });

  it('uses the current registration of the agent', async () => {
    const path = await server.context('registered');
    const agent = { name: 'Q', role: 'qa', kind: 'tool' };
    await server.post('/v1/agents', { agentId: 'qa', ...agent });
    expect(await check(path, 'qa')).toMatchObject({ ok: true, version: 2 });
    const contract = { inputs: { plan: { path: 'context.plan' } } };
    await server.call('PUT', '/v1/agents/qa', { body: { ...agent, contract } });
    expect(await check(path, 'qa')).toMatchObject({ ok: false, version: 3 });
    const { body } = await server.get(path);
    expect(body.quality.inputs.qa).toMatchObject({ ok: false, agentVersion: 2 });
  });

  it('answers a repeated request with the first answer', async () => {
    const path = await server.context('repeated');
    const headers = { 'idempotency-key': 'once' };
    const first = await server.post(`${path}/agents/pm/check`, {}, { headers });
    await add(path, ['analyst', 'project_brief'], {
      ...brief,
      quality_metrics: { overall_score: 9 },
    });
    const again = await server.post(`${path}/agents/pm/check`, {}, { headers });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await check(path, 'pm')).toMatchObject({ ok: true });
  });

  it('is a write: it is conditional, and refused in a closed context and to auditors', async () => {
    const path = await server.context('written');
    const route = `${path}/agents/pm/check`;
    const stale = await server.post(route, {}, { headers: { 'if-match': '"7"' } });
    expect(stale.status).toBe(412);
    const auditor = await server.key({ role: 'auditor' });
    expect((await server.post(route, {}, { key: auditor })).status).toBe(403);
    await server.post(`${path}/close`);
    expect((await server.post(route)).body.type).toBe('/problems/context-closed');
  });

  it('requires an existing context and a registered agent', async () => {
    const path = await server.context('there');
    const type = async (route: string) => (await server.post(route)).body.type;
    expect(await type('/v1/contexts/nowhere/agents/pm/check')).toBe('/problems/context-not-found');
    expect(await type(`${path}/agents/nobody/check`)).toBe('/problems/not-found');
  });

  it('uses only the content that its caller may read', async () => {
    const path = await server.context('unseen');
    await add(path, ['analyst', 'project_brief'], brief);
    await add(path, ['pm', 'prd'], prd(1));
    const reviewer = await server.key({ role: 'agent', agentId: 'r', audiences: ['reviewer'] });
    const narrowResult = await check(path, 'ux_expert', { key: reviewer });
    const missing = [{ input: 'user_requirements' }, { input: 'target_users' }];
    expect(narrowResult).toMatchObject({ ok: false, missing, failed: [] });
    const fullResult = await check(path, 'ux_expert');
    expect(fullResult).toMatchObject({ missing: [], failed: [{ rule: 'minCount' }] });
    const { body } = await server.get(path);
    await check(path, 'ux_expert', { key: reviewer });
    expect((await server.get(path)).body).toEqual(body);
  });

  it('is a working note if one of its inputs is a working note', async () => {
    const path = await server.context('notes');
    await add(path, ['pm', 'prd'], prd(1), { visibility: 'working' });
    await add(path, ['analyst', 'project_brief'], brief);
    await check(path, 'ux_expert');
    const { body } = await server.get(`${path}/events?types=AgentInputsChecked`);
    expect(body.items).toMatchObject([{ visibility: 'working' }]);
  });
});

describe('agents in the document', () => {
  it('have a status, a start, an end, retries, outputs, and their registration', async () => {
    const path = await server.context('worked');
    const step = `${path}/steps/analysis`;
    await server.post(`${step}/start`, undefined, keys['analyst']);
    const reason = { reason: 'the model timed out' };
    await server.post(`${step}/fail`, reason, keys['analyst']);
    expect((await server.get(path)).body.agents.analyst).toMatchObject({
      status: 'failed',
      retries: 0,
      executionEnd: expect.any(String),
    });
    await server.post(`${step}/start`, undefined, keys['analyst']);
    const { body: running } = await server.get(path);
    expect(running.agents.analyst).toMatchObject({
      status: 'in_progress',
      retries: 1,
      executionEnd: null,
    });
    await add(path, ['analyst', 'project_brief'], brief, { stepId: 'analysis' });
    const { body } = await server.get(path);
    expect(body.agents.analyst).toEqual({
      name: 'ANALYST',
      role: 'analyst',
      kind: 'llm',
      inputs: { required: ['project_metadata.specification'], optional: [] },
      status: 'completed',
      retries: 1,
      executionStart: running.agents.analyst.executionStart,
      executionEnd: body._lastModifiedAt,
      outputs: { project_brief: { stepId: 'analysis', version: 5 } },
    });
    expect(body.agents.pm).toEqual({
      name: 'PM',
      role: 'pm',
      kind: 'llm',
      inputs: {
        required: ['analyst.outputs.project_brief'],
        optional: ['global_context.technical_preferences'],
      },
      status: 'pending',
      executionStart: null,
      executionEnd: null,
      retries: 0,
      outputs: {},
    });
    expect(Object.keys(body.agents)).toEqual(['analyst', 'architect', 'pm', 'ux_expert']);
  });

  it('keep the registration of the version at which they are read', async () => {
    const path = await server.context('shown');
    const agent = { name: 'Before', role: 'r', kind: 'tool' };
    await server.post('/v1/agents', { agentId: 'tool', ...agent });
    await server.post(`${path}/steps/s/start`, { agentId: 'tool' });
    const before = await server.get(path);
    await server.call('PUT', '/v1/agents/tool', { body: { ...agent, name: 'After' } });
    const after = await server.get(path);
    expect([after.headers.etag, after.text]).toEqual([before.headers.etag, before.text]);
    await server.post(`${path}/steps/t/start`, { agentId: 'tool' });
    expect((await server.get(path)).body.agents.tool.name).toBe('After');
    expect((await server.get(`${path}?asOf=2`)).body.agents.tool.name).toBe('Before');
  });

  it('are an empty object if no agent has worked', async () => {
    const path = await server.context('unworked');
    expect((await server.get(path)).body).toMatchObject({ agents: {}, quality: {} });
  });
});
