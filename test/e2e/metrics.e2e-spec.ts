import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

describe('metrics of a context', () => {
  it('are computed from its events, as of any version', async () => {
    await server.post('/v1/contexts', { contextId: 'measured', estimates: { hours: 4 } });
    const path = '/v1/contexts/measured';
    const post = async (route: string, body?: object) =>
      expect((await server.post(`${path}${route}`, body)).status).toBe(201);
    const initialMetrics = {
      totalTasks: 0,
      completedTasks: 0,
      phasesCompleted: 0,
      totalIterations: 0,
      averageIterationCount: null,
      reviewIterations: 0,
      reviewPassRate: null,
      timePerPhase: {},
      bottleneckPhase: null,
      totalTimeHours: 0,
      estimates: { hours: 4 },
      estimatedVsActualTime: '-100%',
    };
    expect((await server.get(path)).body.metrics).toEqual(initialMetrics);
    await post('/phases/l1_design/start');
    await post('/tasks', { taskId: 'a', title: 'A', estimate: 1 });
    await post('/tasks', { taskId: 'b', title: 'B' });
    await post('/tasks/a/complete');
    for (let at = 0; at < 2; at++) await post('/iterations', { subject: 'l1_design' });
    const review = { artifact: 'l1.md', keyIssues: [] };
    await post('/reviews', { ...review, status: 'REJECTED_WITH_FEEDBACK' });
    await post('/reviews', { ...review, status: 'APPROVED' });
    await post('/phases/l1_design/complete');
    expect((await server.get(path)).body.metrics).toEqual({
      ...initialMetrics,
      totalTasks: 2,
      completedTasks: 1,
      phasesCompleted: 1,
      totalIterations: 2,
      averageIterationCount: 2,
      reviewIterations: 2,
      reviewPassRate: 0.5,
      bottleneckPhase: 'l1_design',
      timePerPhase: { l1_design: expect.any(Number) },
      totalTimeHours: expect.any(Number),
    });
    expect((await server.get(`${path}?asOf=1`)).body.metrics).toEqual(initialMetrics);
  });

  it('are initial for a context without measurable events', async () => {
    const path = await server.context('unmeasured');
    await server.post(`${path}/steps/a/start`);
    expect((await server.get(path)).body.metrics).toEqual({});
  });

  it('use no baseline that a client states', async () => {
    const path = await server.context('stated');
    const events = [{ type: 'BaselineImported', data: { counters: { totalTasks: 7 } } }];
    const refused = await server.post(`${path}/events`, { events });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/events/0/type']);
  });
});
