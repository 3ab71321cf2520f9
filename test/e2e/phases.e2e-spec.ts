import { currentAnswer } from './caught-up.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

describe('phases over HTTP', () => {
  it('start and are completed once, with agent, times, outputs and iterations', async () => {
    const path = await server.context('phased');
    const calls = [
      ['l1%20design/start', { agent: 'sdd-architect' }, 'PhaseStarted'],
      ['l1%20design/complete', { outputs: ['design/l1.md'] }, 'PhaseCompleted'],
      ['l1%20design/start', undefined, 'PhaseStarted'],
      ['l1%20design/complete', { agent: 'sdd-architect' }, 'PhaseCompleted'],
      ['requirements/complete', {}, 'PhaseCompleted'],
    ] as const;
    for (const [index, [route, body, type]] of calls.entries()) {
      const answer = await server.post(`${path}/phases/${route}`, body);
      expect([answer.status, answer.body.version, answer.body.events[0].type]).toEqual([
        201,
        index + 2,
        type,
      ]);
      const again = await server.post(`${path}/phases/${route}`, body);
      expect([again.status, again.body.version, again.body.events]).toEqual([200, index + 2, []]);
    }
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect((await server.get(path)).body.completedPhases).toEqual([
      {
        phase: 'l1 design',
        agent: 'sdd-architect',
        startedAt: time,
        completedAt: time,
        iterations: 2,
        outputs: [],
        version: 5,
      },
      {
        phase: 'requirements',
        agent: 'admin',
        startedAt: null,
        completedAt: time,
        iterations: 0,
        outputs: [],
        version: 6,
      },
    ]);
  });

  it('show the current phase in document and list, in past versions and in a fork', async () => {
    const path = await server.context('going-on');
    const noSteps = { activeSteps: [], failedSteps: [] };
    const design = {
      phase: 'l2_design',
      activeAgent: 'sdd-pe',
      activeTask: 'design-l2',
      ...noSteps,
    };
    await server.post(`${path}/phases/l2_design/start`, { agent: 'sdd-le' });
    await server.post(`${path}/tasks`, { taskId: 'design-l2', title: 'Design' });
    await server.post(`${path}/tasks/design-l2/start`, { agent: 'sdd-pe' });
    await server.post(`${path}/tasks/design-l2/block`, { reason: 'no schema' });
    const stateAt = async (route: string) => (await server.get(route)).body.currentState;
    expect(await stateAt(path)).toEqual({ ...design, status: 'blocked' });
    expect(await stateAt(`${path}?asOf=4`)).toEqual({ ...design, status: 'in_progress' });
    expect(await stateAt(`${path}?asOf=2`)).toEqual({
      phase: 'l2_design',
      activeAgent: 'sdd-le',
      activeTask: null,
      status: 'in_progress',
      ...noSteps,
    });
    const forked = await server.post(`${path}/forks`, { atVersion: 4, contextId: 'forked' });
    expect(forked.status).toBe(201);
    await server.post('/v1/contexts/forked/tasks/design-l2/complete');
    expect(await stateAt('/v1/contexts/forked')).toEqual({
      phase: 'l2_design',
      activeAgent: 'sdd-le',
      activeTask: null,
      status: 'in_progress',
      ...noSteps,
    });
    const { body } = await currentAnswer(() => server.get('/v1/contexts?limit=500'));
    const active = body.items.filter(({ activeAgent }: { activeAgent: string }) => activeAgent);
    expect(active).toMatchObject([
      { contextId: 'forked', phase: 'l2_design', activeAgent: 'sdd-le' },
      { contextId: 'going-on', phase: 'l2_design', activeAgent: 'sdd-pe' },
    ]);
  });

  it('are in a difference, with the resulting state', async () => {
    const path = await server.context('compared');
    await server.post(`${path}/phases/l1/start`, { agent: 'ada' });
    await server.post(`${path}/phases/l1/complete`, { outputs: ['l1.md'] });
    const { body } = await server.get(`${path}/diff?from=2&to=3`);
    expect(body.currentState).toMatchObject({
      before: { phase: 'l1', status: 'in_progress' },
      after: { phase: null, status: 'completed' },
    });
    expect(body.entriesChanged).toMatchObject([
      {
        part: 'phases',
        key: 'l1',
        before: { status: 'in_progress', agent: 'ada' },
        after: { status: 'completed', outputs: ['l1.md'] },
      },
    ]);
  });

  it('are completed in the name of another agent only with a key that may act for it', async () => {
    const path = await server.context('in-a-name');
    const key = await server.key({ role: 'agent', agentId: 'bob', actsFor: ['eve'] });
    const complete = (agent: string) =>
      server.post(`${path}/phases/l1/complete`, { agent }, { key });
    const write = (agent: string) =>
      server.call('PUT', path, {
        key,
        body: { completedPhases: [{ phase: 'l2', agent }] },
        headers: { 'if-match': '"1"' },
      });
    expect([(await complete('boss')).status, (await write('boss')).status]).toEqual([403, 403]);
    expect([(await write('eve')).status, (await complete('bob')).status]).toEqual([201, 201]);
  });

  it('are completed by a written document with a further phase', async () => {
    const path = await server.context('written');
    await server.post(`${path}/phases/l1/complete`);
    const { body } = await server.get(path);
    const written = await server.call('PUT', path, {
      body: { completedPhases: [...body.completedPhases, { phase: 'l2', outputs: ['l2.md'] }] },
      headers: { 'if-match': '"2"' },
    });
    expect([written.status, written.body.events[0].type]).toEqual([201, 'PhaseCompleted']);
    const without = await server.call('PUT', path, {
      body: { completedPhases: [] },
      headers: { 'if-match': '"3"' },
    });
    expect([without.status, without.body.events]).toEqual([200, []]);
    expect((await server.get(path)).body.completedPhases).toHaveLength(2);
  });
});
