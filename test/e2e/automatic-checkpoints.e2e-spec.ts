import { caughtUp } from './caught-up.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const projected = () => caughtUp(server);

const ownFacts = new Set(['size', '_version', '_lastModifiedAt', '_lastModifiedBy']);
const contents = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !ownFacts.has(name)));

const output = (path: string, agentId: string, stepId: string, value: unknown) =>
  server.post(`${path}/step-outputs`, { agentId, stepId, output: value });

/** Version 1 created, 2 the analyst's brief, 3 the pm's requirements, 4 a name, 5 another brief, 6 a failure. */
async function session(contextId: string): Promise<string> {
  const path = await server.context(contextId);
  await output(path, 'analyst', 'brief', 'first');
  await output(path, 'pm', 'prd', 'requirements');
  await server.post(`${path}/checkpoints`, { name: 'ready' });
  await output(path, 'analyst', 'brief', 'second');
  await server.post(`${path}/steps/prd/fail`, { reason: 'the model timed out', agentId: 'pm' });
  return path;
}

describe('automatic checkpoints', () => {
  it('are listed after the completion of each agent, without an event', async () => {
    const path = await session('listed');
    for (const wait of [async () => undefined, projected]) {
      await wait();
      const { body, headers } = await server.get(`${path}/checkpoints`);
      expect(headers['etag']).toBe('"6"');
      expect(body.items).toEqual([
        {
          name: 'after:pm',
          version: 3,
          createdBy: 'admin',
          automatic: true,
          createdAt: expect.any(String),
        },
        expect.objectContaining({ name: 'ready', version: 3, automatic: false }),
        expect.objectContaining({ name: 'after:analyst', version: 5, automatic: true }),
      ]);
    }
    const { body } = await server.get(`${path}/events`);
    expect(body.items.map(({ type }: { type: string }) => type)).toEqual([
      'ContextCreated',
      'StepOutputAdded',
      'StepOutputAdded',
      'CheckpointCreated',
      'StepOutputAdded',
      'StepFailed',
    ]);
  });

  it('can be restored by name, before and after the projection, and remain', async () => {
    const path = await session('restored');
    const earlier = await server.get(`${path}?asOf=3`);
    const reply = await server.post(`${path}/restore`, { checkpoint: 'after:pm' });
    expect(reply.status).toBe(201);
    for (const wait of [async () => undefined, projected]) {
      await wait();
      expect(contents((await server.get(path)).body)).toEqual(contents(earlier.body));
      const { body } = await server.get(`${path}/checkpoints`);
      expect(body.items.map(({ name }: { name: string }) => name)).toEqual([
        'after:pm',
        'ready',
        'after:analyst',
      ]);
    }
    expect((await server.post(`${path}/restore`, { checkpoint: 'after:analyst' })).status).toBe(
      201,
    );
    expect((await server.get(path)).body.stepOutputs).toEqual({
      brief: 'second',
      prd: 'requirements',
    });
  });

  it('name completed phases', async () => {
    const path = await server.context('phases');
    await server.post(`${path}/phases/l1_design/start`, { agentId: 'sdd-architect' });
    await output(path, 'sdd-architect', 'draft', 'l1');
    await server.post(`${path}/phases/l1_design/complete`, { agentId: 'sdd-architect' });
    await output(path, 'sdd-architect', 'draft', 'spoilt');
    await server.post(`${path}/restore`, { checkpoint: 'after:phase:l1_design' });
    const { body } = await server.get(path);
    expect(body.stepOutputs).toEqual({ draft: 'l1' });
    expect(body.completedPhases).toMatchObject([{ phase: 'l1_design', agent: 'sdd-architect' }]);
  });

  it('can be the origin of a fork, which has none itself', async () => {
    const path = await session('forked');
    const request = { checkpoint: 'after:pm', contextId: 'forked-b' };
    expect((await server.post(`${path}/forks`, request)).status).toBe(201);
    const { body } = await server.get('/v1/contexts/forked-b');
    expect(body.stepOutputs).toEqual({ brief: 'first', prd: 'requirements' });
    expect((await server.get('/v1/contexts/forked-b/checkpoints')).body.items).toEqual([]);
    const named = await server.post(`${path}/forks`, {
      checkpoint: 'ready',
      contextId: 'forked-c',
    });
    expect(named.status).toBe(201);
  });

  it('have reserved names, and do not exist for agents that completed nothing', async () => {
    const path = await session('refused');
    const reserved = await server.post(`${path}/checkpoints`, { name: 'after:lunch' });
    expect([reserved.status, reserved.body.errors[0].pointer]).toEqual([422, '/name']);
    const restore = await server.post(`${path}/restore`, { checkpoint: 'after:nobody' });
    expect([restore.status, restore.body.errors[0].pointer]).toEqual([422, '/checkpoint']);
    const fork = await server.post(`${path}/forks`, { checkpoint: 'after:nobody' });
    expect([fork.status, fork.body.errors[0].pointer]).toEqual([422, '/checkpoint']);
    for (const target of [{}, { atVersion: 1, checkpoint: 'ready' }])
      expect((await server.post(`${path}/forks`, target)).status).toBe(422);
  });

  it('are the newest visible completions of each audience', async () => {
    const path = await session('gated');
    const visibleCheckpoints = async () => {
      const { body } = await server.get(`${path}/checkpoints?audience=retrospective`);
      return body.items.map(({ name, version }: Record<string, unknown>) => [name, version]);
    };
    const before = await visibleCheckpoints();
    expect(before).toContainEqual(['after:analyst', 5]);
    const hidden = { stepId: 'brief', output: 'a thought', visibility: 'working' };
    await server.post(`${path}/step-outputs`, { ...hidden, agentId: 'analyst' });
    for (const wait of [async () => undefined, projected]) {
      await wait();
      expect(await visibleCheckpoints()).toEqual(before);
    }
    const { body } = await server.get(`${path}/checkpoints`);
    expect(body.items).toContainEqual(
      expect.objectContaining({ name: 'after:analyst', version: 7 }),
    );
  });

  it('are found for agents with names of the maximum length', async () => {
    const path = await server.context('long');
    const agent = '😀'.repeat(256);
    await output(path, agent, 's', 1);
    const { status } = await server.post(`${path}/restore`, { checkpoint: `after:${agent}` });
    expect(status).toBe(201);
  });
});
