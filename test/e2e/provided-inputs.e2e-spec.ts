import { type CallOptions, type Reply, ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
/** The key of each agent. */
const keys: Record<string, CallOptions> = {};

const path = 'analyst.outputs.project_brief.budget';
const template = '{{analyst.outputs.project_brief.budget.hours}} hours';

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  const outputs = { types: ['ContextCreated', 'StepOutputAdded'] };
  const readableEvents = { types: ['InputProvided', 'ValueDerived'] };
  await server.call('PUT', '/v1/policies/outsiders', { body: { show: [outputs, readableEvents] } });
  const contract = { inputs: { budget: { path } } };
  for (const agentId of ['analyst', 'pm', 'mallory', 'outsider']) {
    const agent = { agentId, name: agentId, role: agentId, kind: 'llm' };
    await server.post('/v1/agents', agentId === 'pm' ? { ...agent, contract } : agent);
    const grant = { role: 'agent', agentId };
    const audiences = agentId === 'outsider' ? { audiences: ['outsiders'] } : {};
    keys[agentId] = { key: await server.key({ ...grant, ...audiences }) };
  }
  await server.call('PUT', '/v1/transformations/cost', {
    body: {
      trigger: { step: 'analysis' },
      sources: { budget: path },
      operation: { kind: 'compute', expression: 'budget.hours * 80' },
      destinations: ['project_metadata.cost'],
    },
  });
}, 120_000);

afterAll(() => server.stop());

/** Creates a context with an output of the analyst that lacks an input. */
async function context(contextId: string): Promise<string> {
  const contextPath = await server.context(contextId);
  const output = { stepId: 'analysis', name: 'project_brief', output: { title: 'Shop' } };
  await server.post(`${contextPath}/step-outputs`, output, keys['analyst']);
  return contextPath;
}

function request(contextPath: string, agentId: string, more: object = {}): Promise<Reply> {
  const body = { inputRequestId: 'IN-1', path, from: 'analyst', ...more };
  return server.post(`${contextPath}/input-requests`, body, keys[agentId]);
}

function provide(contextPath: string, agentId: string, body: object, id = 'IN-1'): Promise<Reply> {
  return server.post(`${contextPath}/input-requests/${id}/provide`, body, keys[agentId]);
}

async function prompt(
  contextPath: string,
  more: object = {},
  options: CallOptions = {},
): Promise<string> {
  const { body } = await server.post(`${contextPath}/prompt`, { template, ...more }, options);
  return body.text;
}

async function check(contextPath: string): Promise<unknown> {
  return (await server.post(`${contextPath}/agents/pm/check`, undefined, keys['pm'])).body.ok;
}

async function cost(contextPath: string, query = ''): Promise<unknown> {
  return (await server.get(`${contextPath}${query}`)).body.derived['project_metadata.cost']?.value;
}

/** The hash in an ETag, without the version. */
function hashOf({ headers }: Reply): string | undefined {
  return /-([0-9a-f]{16})"$/.exec(String(headers['etag']))?.[1];
}

describe('a provided input', () => {
  it('is at its requested path: checks find it, prompts render it, and values are derived from it', async () => {
    const contextPath = await context('provided');
    await request(contextPath, 'pm');
    expect([await check(contextPath), await prompt(contextPath), await cost(contextPath)]).toEqual([
      false,
      ' hours',
      undefined,
    ]);
    const provided = await provide(contextPath, 'analyst', { value: { hours: 40 } });
    expect(provided.body.events.map(({ type }: { type: string }) => type)).toEqual([
      'InputProvided',
      'ValueDerived',
    ]);
    expect([await check(contextPath), await prompt(contextPath), await cost(contextPath)]).toEqual([
      true,
      '40 hours',
      3200,
    ]);
    const { body } = await server.get(`${contextPath}/events?type=InputProvided`);
    expect(body.items).toMatchObject([{ schemaVersion: 2, data: { path } }]);
    expect((await provide(contextPath, 'analyst', { value: { hours: 40 } })).body.events).toEqual(
      [],
    );
  });

  it('is replaced by an output of the agent itself', async () => {
    const contextPath = await context('given-way');
    await request(contextPath, 'pm');
    await provide(contextPath, 'analyst', { value: { hours: 40 } });
    const output = { stepId: 'analysis', name: 'project_brief', output: { budget: { hours: 8 } } };
    await server.post(`${contextPath}/step-outputs`, output, keys['analyst']);
    expect([await check(contextPath), await prompt(contextPath), await cost(contextPath)]).toEqual([
      true,
      '8 hours',
      640,
    ]);
  });

  it('is found in the output of a step that only templates use', async () => {
    const contextPath = await context('step');
    await request(contextPath, 'pm', { path: 'context.review.verdict', from: 'mallory' });
    await provide(contextPath, 'mallory', { value: 'fine' });
    const verdict = { template: '{{context.review.verdict}}' };
    expect(await prompt(contextPath, verdict)).toBe('`fine`');
    expect(
      await prompt(contextPath, { ...verdict, requiredInputs: ['context.review.verdict'] }),
    ).toBe('`fine`');
  });

  it('cannot be provided for another path, nor in the name of another agent', async () => {
    const contextPath = await context('impersonated');
    await request(contextPath, 'mallory', { from: 'mallory' });
    expect((await provide(contextPath, 'mallory', { value: 1, path })).status).toBe(422);
    expect((await provide(contextPath, 'mallory', { value: 1, agentId: 'analyst' })).status).toBe(
      403,
    );
    expect((await provide(contextPath, 'mallory', { value: { hours: 1 } })).status).toBe(201);
    expect([await check(contextPath), await prompt(contextPath), await cost(contextPath)]).toEqual([
      false,
      ' hours',
      undefined,
    ]);
    const { body } = await server.get(contextPath);
    expect(body.inputRequests).toMatchObject([{ value: { hours: 1 }, providedBy: 'mallory' }]);
    expect((await provide(contextPath, 'analyst', { value: { hours: 1 } })).status).toBe(201);
    expect(await prompt(contextPath)).toBe('1 hours');
  });

  it('is not replaced by a value that an agent requests from itself', async () => {
    const contextPath = await context('asked-and-answered');
    const budget = 'global_context.budget';
    const template = `{{${budget}}}`;
    await request(contextPath, 'pm', { path: budget });
    await provide(contextPath, 'analyst', { value: 5 });
    const ownRequest = { inputRequestId: 'own', path: budget, from: 'mallory' };
    await request(contextPath, 'mallory', ownRequest);
    expect((await provide(contextPath, 'mallory', { value: 999 }, 'own')).status).toBe(201);
    expect(await prompt(contextPath, { template })).toBe('5');
    await request(contextPath, 'pm', { ...ownRequest, inputRequestId: 'of-pm' });
    await server.post(`${contextPath}/input-requests/IN-1/provide`, { value: 6 });
    await provide(contextPath, 'mallory', { value: 7 }, 'of-pm');
    expect(await prompt(contextPath, { template })).toBe('6');
  });

  it('is shown without path and author if its request is hidden', async () => {
    const contextPath = await context('hidden-request');
    await request(contextPath, 'mallory', { path: 'global_context.secret' });
    await provide(contextPath, 'analyst', { value: 1 });
    const { body } = await server.get(`${contextPath}/events?type=InputProvided`, keys['outsider']);
    expect(body.items.map(({ data }: { data: object }) => data)).toEqual([
      { inputRequestId: 'IN-1', value: 1 },
    ]);
  });

  it('is visible to the agent that requested it, but not to others of its audience', async () => {
    const contextPath = await context('asked-by-developers');
    const keyOf = async (agentId: string): Promise<CallOptions> => ({
      key: await server.key({ role: 'agent', agentId, audiences: ['developer'] }),
    });
    const [requester, other] = [await keyOf('coder'), await keyOf('tester')];
    const body = { inputRequestId: 'IN-1', path, from: 'analyst' };
    expect((await server.post(`${contextPath}/input-requests`, body, requester)).status).toBe(201);
    const requests = async (options: CallOptions) =>
      (await server.get(contextPath, options)).body.inputRequests;
    expect(await requests(requester)).toMatchObject([{ status: 'open', agentId: 'coder' }]);
    await provide(contextPath, 'analyst', { value: { hours: 7 } });
    expect(await requests(requester)).toMatchObject([{ status: 'provided', value: { hours: 7 } }]);
    expect([
      await prompt(contextPath, {}, requester),
      await prompt(contextPath, {}, other),
    ]).toEqual(['7 hours', ' hours']);
    expect(await requests(other)).toEqual([]);
  });

  it('may be provided by a person', async () => {
    const contextPath = await context('by-a-person');
    await request(contextPath, 'pm', { from: 'mallory' });
    expect(
      (await server.post(`${contextPath}/input-requests/IN-1/provide`, { value: { hours: 3 } }))
        .status,
    ).toBe(201);
    expect(await prompt(contextPath)).toBe('3 hours');
  });

  it('is hidden from audiences of the record if it is a working note, as are values derived from it', async () => {
    const contextPath = await context('unseen');
    await request(contextPath, 'pm');
    const before = await server.post(`${contextPath}/prompt`, { template }, keys['outsider']);
    await provide(contextPath, 'analyst', { value: { hours: 41 }, visibility: 'working' });
    expect(await prompt(contextPath)).toBe('41 hours');
    expect(await cost(contextPath)).toBe(3280);
    const after = await server.post(`${contextPath}/prompt`, { template }, keys['outsider']);
    expect(after.body.text).toBe(' hours');
    expect(hashOf(after)).toEqual(expect.any(String));
    expect(hashOf(after)).toBe(hashOf(before));
    const fullTemplate = {
      template: '{{document}} {{context}} {{project_metadata}} {{analyst.outputs}}',
    };
    for (const value of [/"hours":41/, /:3280/]) {
      expect(await prompt(contextPath, fullTemplate)).toMatch(value);
      expect(await prompt(contextPath, fullTemplate, keys['outsider'])).not.toMatch(value);
    }
    expect(
      (await server.get(`${contextPath}/items/provided:analyst.outputs.project_brief`)).status,
    ).toBe(404);
    await provide(contextPath, 'analyst', { value: { hours: 42 }, visibility: 'record' });
    expect(await prompt(contextPath, {}, keys['outsider'])).toBe('42 hours');
    await provide(contextPath, 'analyst', { value: { hours: 43 }, visibility: 'working' });
    expect(await prompt(contextPath, {}, keys['outsider'])).toBe('42 hours');
    expect(await prompt(contextPath)).toBe('43 hours');
  });

  it('is a working note if its request is one', async () => {
    const contextPath = await context('asked-in-private');
    await request(contextPath, 'pm', { visibility: 'working' });
    await provide(contextPath, 'analyst', { value: { hours: 41 } });
    const { body } = await server.get(`${contextPath}/events?type=InputProvided`);
    expect(body.items).toMatchObject([{ visibility: 'working' }]);
    expect(await prompt(contextPath, {}, keys['outsider'])).toBe(' hours');
  });

  it('exists from its version on, in later forks, and not after a restore of an earlier version', async () => {
    const contextPath = await context('history');
    await request(contextPath, 'pm');
    const { version } = (await provide(contextPath, 'analyst', { value: { hours: 40 } })).body;
    const since = version - 1;
    expect(await cost(contextPath, `?asOf=${version}`)).toBe(3200);
    const forks = [since - 1, version].map(async (atVersion) => {
      const contextId = `history-${atVersion}`;
      await server.post(`${contextPath}/forks`, { atVersion, contextId });
      return prompt(`/v1/contexts/${contextId}`);
    });
    expect(await Promise.all(forks)).toEqual([' hours', '40 hours']);
    expect(await prompt(contextPath)).toBe('40 hours');
    const asOf = await Promise.all(
      [since - 1, version].map((version) => prompt(contextPath, { asOf: `${version}` })),
    );
    expect(asOf).toEqual([' hours', '40 hours']);
    expect((await server.post(`${contextPath}/restore`, { version: since - 1 })).status).toBe(201);
    expect(await prompt(contextPath)).toBe(' hours');
  });
});
