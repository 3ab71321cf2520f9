import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

describe('metrics of a context', () => {
  it('follow from what happened in it, as of any version', async () => {
    await server.post('/v1/contexts', { contextId: 'measured', estimates: { hours: 4 } });
    const path = '/v1/contexts/measured';
    const say = async (place: string, body?: object) =>
      expect((await server.post(`${path}${place}`, body)).status).toBe(201);
    const none = {
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
    expect((await server.get(path)).body.metrics).toEqual(none);
    await say('/phases/l1_design/start');
    await say('/tasks', { taskId: 'a', title: 'A', estimate: 1 });
    await say('/tasks', { taskId: 'b', title: 'B' });
    await say('/tasks/a/complete');
    for (let at = 0; at < 2; at++) await say('/iterations', { subject: 'l1_design' });
    const review = { artifact: 'l1.md', keyIssues: [] };
    await say('/reviews', { ...review, status: 'REJECTED_WITH_FEEDBACK' });
    await say('/reviews', { ...review, status: 'APPROVED' });
    await say('/phases/l1_design/complete');
    expect((await server.get(path)).body.metrics).toEqual({
      ...none,
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
    expect((await server.get(`${path}?asOf=1`)).body.metrics).toEqual(none);
  });

  it('are none of a context in which there was nothing to measure', async () => {
    const path = await server.context('unmeasured');
    await server.post(`${path}/steps/a/start`);
    expect((await server.get(path)).body.metrics).toEqual({});
  });

  it('start from no baseline that a client would state itself', async () => {
    const path = await server.context('stated');
    const events = [{ type: 'BaselineImported', data: { counters: { totalTasks: 7 } } }];
    const refused = await server.post(`${path}/events`, { events });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/events/0/type']);
  });
});
