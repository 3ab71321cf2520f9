import { type CallOptions, type Reply, ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
/** The keys of agents, by agent. */
const keys: Record<string, CallOptions> = {};

const path = 'analyst.outputs.project_brief.budget';
const template = '{{analyst.outputs.project_brief.budget.hours}} hours';

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  const outputs = { types: ['ContextCreated', 'StepOutputAdded'] };
  const own = { types: ['InputProvided', 'ValueDerived'] };
  await server.call('PUT', '/v1/policies/outsiders', { body: { show: [outputs, own] } });
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

/** A context with the output of the analyst that something is missing in. */
async function context(contextId: string): Promise<string> {
  const at = await server.context(contextId);
  const output = { stepId: 'analysis', name: 'project_brief', output: { title: 'Shop' } };
  await server.post(`${at}/step-outputs`, output, keys['analyst']);
  return at;
}

function request(at: string, by: string, more: object = {}): Promise<Reply> {
  const body = { inputRequestId: 'IN-1', path, from: 'analyst', ...more };
  return server.post(`${at}/input-requests`, body, keys[by]);
}

function provide(at: string, by: string, body: object, id = 'IN-1'): Promise<Reply> {
  return server.post(`${at}/input-requests/${id}/provide`, body, keys[by]);
}

async function prompt(at: string, more: object = {}, options: CallOptions = {}): Promise<string> {
  const { body } = await server.post(`${at}/prompt`, { template, ...more }, options);
  return body.text;
}

async function check(at: string): Promise<unknown> {
  return (await server.post(`${at}/agents/pm/check`, undefined, keys['pm'])).body.ok;
}

async function cost(at: string, query = ''): Promise<unknown> {
  return (await server.get(`${at}${query}`)).body.derived['project_metadata.cost']?.value;
}

/** What an ETag says beside the version. */
function hashOf({ headers }: Reply): string | undefined {
  return /-([0-9a-f]{16})"$/.exec(String(headers['etag']))?.[1];
}

describe('a provided input', () => {
  it('is at the path it was requested for: checks find it, prompts render it, values are derived from it', async () => {
    const at = await context('provided');
    await request(at, 'pm');
    expect([await check(at), await prompt(at), await cost(at)]).toEqual([
      false,
      ' hours',
      undefined,
    ]);
    const provided = await provide(at, 'analyst', { value: { hours: 40 } });
    expect(provided.body.events.map(({ type }: { type: string }) => type)).toEqual([
      'InputProvided',
      'ValueDerived',
    ]);
    expect([await check(at), await prompt(at), await cost(at)]).toEqual([true, '40 hours', 3200]);
    const { body } = await server.get(`${at}/events?type=InputProvided`);
    expect(body.items).toMatchObject([{ schemaVersion: 2, data: { path } }]);
    expect((await provide(at, 'analyst', { value: { hours: 40 } })).body.events).toEqual([]);
  });

  it('gives way to what the agent puts out itself', async () => {
    const at = await context('given-way');
    await request(at, 'pm');
    await provide(at, 'analyst', { value: { hours: 40 } });
    const output = { stepId: 'analysis', name: 'project_brief', output: { budget: { hours: 8 } } };
    await server.post(`${at}/step-outputs`, output, keys['analyst']);
    expect([await check(at), await prompt(at), await cost(at)]).toEqual([true, '8 hours', 640]);
  });

  it('is found in the output of a step that templates name alone', async () => {
    const at = await context('step');
    await request(at, 'pm', { path: 'context.review.verdict', from: 'mallory' });
    await provide(at, 'mallory', { value: 'fine' });
    const verdict = { template: '{{context.review.verdict}}' };
    expect(await prompt(at, verdict)).toBe('`fine`');
    expect(await prompt(at, { ...verdict, requiredInputs: ['context.review.verdict'] })).toBe(
      '`fine`',
    );
  });

  it('cannot be stated for another path, nor in the name of an agent', async () => {
    const at = await context('impersonated');
    await request(at, 'mallory', { from: 'mallory' });
    expect((await provide(at, 'mallory', { value: 1, path })).status).toBe(422);
    expect((await provide(at, 'mallory', { value: 1, agentId: 'analyst' })).status).toBe(403);
    expect((await provide(at, 'mallory', { value: { hours: 1 } })).status).toBe(201);
    expect([await check(at), await prompt(at), await cost(at)]).toEqual([
      false,
      ' hours',
      undefined,
    ]);
    const { body } = await server.get(at);
    expect(body.inputRequests).toMatchObject([{ value: { hours: 1 }, providedBy: 'mallory' }]);
    expect((await provide(at, 'analyst', { value: { hours: 1 } })).status).toBe(201);
    expect(await prompt(at)).toBe('1 hours');
  });

  it('stays as people and other agents provided it, whoever asks and answers itself', async () => {
    const at = await context('asked-and-answered');
    const budget = 'global_context.budget';
    const template = `{{${budget}}}`;
    await request(at, 'pm', { path: budget });
    await provide(at, 'analyst', { value: 5 });
    const own = { inputRequestId: 'own', path: budget, from: 'mallory' };
    await request(at, 'mallory', own);
    expect((await provide(at, 'mallory', { value: 999 }, 'own')).status).toBe(201);
    expect(await prompt(at, { template })).toBe('5');
    await request(at, 'pm', { ...own, inputRequestId: 'of-pm' });
    await server.post(`${at}/input-requests/IN-1/provide`, { value: 6 });
    await provide(at, 'mallory', { value: 7 }, 'of-pm');
    expect(await prompt(at, { template })).toBe('6');
  });

  it('is shown without the path and the author of a hidden request', async () => {
    const at = await context('hidden-request');
    await request(at, 'mallory', { path: 'global_context.secret' });
    await provide(at, 'analyst', { value: 1 });
    const { body } = await server.get(`${at}/events?type=InputProvided`, keys['outsider']);
    expect(body.items.map(({ data }: { data: object }) => data)).toEqual([
      { inputRequestId: 'IN-1', value: 1 },
    ]);
  });

  it('reaches the agent that asked, whatever it sees beside it, and no other of its audience', async () => {
    const at = await context('asked-by-developers');
    const keyOf = async (agentId: string): Promise<CallOptions> => ({
      key: await server.key({ role: 'agent', agentId, audiences: ['developer'] }),
    });
    const [asking, other] = [await keyOf('coder'), await keyOf('tester')];
    const body = { inputRequestId: 'IN-1', path, from: 'analyst' };
    expect((await server.post(`${at}/input-requests`, body, asking)).status).toBe(201);
    const requests = async (by: CallOptions) => (await server.get(at, by)).body.inputRequests;
    expect(await requests(asking)).toMatchObject([{ status: 'open', agentId: 'coder' }]);
    await provide(at, 'analyst', { value: { hours: 7 } });
    expect(await requests(asking)).toMatchObject([{ status: 'provided', value: { hours: 7 } }]);
    expect([await prompt(at, {}, asking), await prompt(at, {}, other)]).toEqual([
      '7 hours',
      ' hours',
    ]);
    expect(await requests(other)).toEqual([]);
  });

  it('may come from a person', async () => {
    const at = await context('by-a-person');
    await request(at, 'pm', { from: 'mallory' });
    expect(
      (await server.post(`${at}/input-requests/IN-1/provide`, { value: { hours: 3 } })).status,
    ).toBe(201);
    expect(await prompt(at)).toBe('3 hours');
  });

  it('is a working note to those who see only the record, with what follows from it', async () => {
    const at = await context('unseen');
    await request(at, 'pm');
    const before = await server.post(`${at}/prompt`, { template }, keys['outsider']);
    await provide(at, 'analyst', { value: { hours: 41 }, visibility: 'working' });
    expect(await prompt(at)).toBe('41 hours');
    expect(await cost(at)).toBe(3280);
    const after = await server.post(`${at}/prompt`, { template }, keys['outsider']);
    expect(after.body.text).toBe(' hours');
    expect(hashOf(after)).toEqual(expect.any(String));
    expect(hashOf(after)).toBe(hashOf(before));
    const whole = { template: '{{document}} {{context}} {{project_metadata}} {{analyst.outputs}}' };
    for (const value of [/"hours":41/, /:3280/]) {
      expect(await prompt(at, whole)).toMatch(value);
      expect(await prompt(at, whole, keys['outsider'])).not.toMatch(value);
    }
    expect((await server.get(`${at}/items/provided:analyst.outputs.project_brief`)).status).toBe(
      404,
    );
    await provide(at, 'analyst', { value: { hours: 42 }, visibility: 'record' });
    expect(await prompt(at, {}, keys['outsider'])).toBe('42 hours');
    await provide(at, 'analyst', { value: { hours: 43 }, visibility: 'working' });
    expect(await prompt(at, {}, keys['outsider'])).toBe('42 hours');
    expect(await prompt(at)).toBe('43 hours');
  });

  it('is a working note if its request is one', async () => {
    const at = await context('asked-in-private');
    await request(at, 'pm', { visibility: 'working' });
    await provide(at, 'analyst', { value: { hours: 41 } });
    const { body } = await server.get(`${at}/events?type=InputProvided`);
    expect(body.items).toMatchObject([{ visibility: 'working' }]);
    expect(await prompt(at, {}, keys['outsider'])).toBe(' hours');
  });

  it('is there as of the version that provided it, in forks from then on, and not behind a restore', async () => {
    const at = await context('history');
    await request(at, 'pm');
    const { version } = (await provide(at, 'analyst', { value: { hours: 40 } })).body;
    const since = version - 1;
    expect(await cost(at, `?asOf=${version}`)).toBe(3200);
    const forks = [since - 1, version].map(async (atVersion) => {
      const contextId = `history-${atVersion}`;
      await server.post(`${at}/forks`, { atVersion, contextId });
      return prompt(`/v1/contexts/${contextId}`);
    });
    expect(await Promise.all(forks)).toEqual([' hours', '40 hours']);
    expect(await prompt(at)).toBe('40 hours');
    const asOf = await Promise.all(
      [since - 1, version].map((then) => prompt(at, { asOf: `${then}` })),
    );
    expect(asOf).toEqual([' hours', '40 hours']);
    expect((await server.post(`${at}/restore`, { version: since - 1 })).status).toBe(201);
    expect(await prompt(at)).toBe(' hours');
  });
});
