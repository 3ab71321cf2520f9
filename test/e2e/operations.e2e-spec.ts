import { OperatedServer } from './operated-server.js';
import { stopServerProcesses, throughline } from './server-process.js';

const limitMs = 120_000;

describe('a server without a running projector', () => {
  let server: OperatedServer;

  beforeAll(async () => {
    server = await OperatedServer.start();
    await server.call('POST', 'contexts', { contextId: 'c', title: 'Waiting' });
    await server.call('POST', 'contexts/c/step-outputs', { stepId: 's', output: 1 });
  }, limitMs);

  afterAll(async () => {
    await stopServerProcesses();
    await server.stop();
  }, limitMs);

  it('reports that, and the lag of lists', async () => {
    expect(await server.projection()).toMatchObject({
      name: 'shared-context',
      state: 'stuck',
      reason: 'no projector is running',
      lagEvents: 2,
      deadLetters: 0,
    });
    const { headers, body } = await server.ask('GET', 'contexts');
    expect(headers['x-projection-lag']).toBe('2');
    expect(body.items).toMatchObject([{ contextId: 'c', title: 'Waiting' }]);
    const { code, out } = await throughline(['projection', 'list'], server.env);
    expect(code).toBe(0);
    expect(out).toMatch(/shared-context +stuck +2 .*no projector is running/);
  });

  it('reads the current state of contexts', async () => {
    expect(await server.call('GET', 'contexts/c')).toMatchObject({
      _version: 2,
      stepOutputs: { s: 1 },
    });
  });

  it('retains waiting jobs, lists them newest first page by page, and cancels them at once', async () => {
    const requested: string[] = [];
    for (let n = 0; n < 3; n++) {
      const job = await server.call('POST', 'projections/shared-context/rebuild', {});
      expect(job).toMatchObject({ state: 'waiting', applied: 0, verify: 'sample', rate: null });
      expect(await server.call('POST', `jobs/${job.jobId}/cancel`)).toMatchObject({
        jobId: job.jobId,
        state: 'cancelled',
      });
      requested.unshift(job.jobId);
    }
    const listed: string[] = [];
    let path: string | null = 'jobs?limit=2';
    while (path !== null) {
      const { items, nextCursor } = await server.call('GET', path);
      for (const { jobId } of items) listed.push(jobId);
      path = nextCursor && `jobs?limit=2&cursor=${nextCursor}`;
    }
    expect(listed).toEqual(requested);
  });

  it.each([
    ['POST', 'projections/shared-context/rebuild', { rate: 0 }, '/rate'],
    ['POST', 'projections/shared-context/rebuild', { verify: 'all' }, '/verify'],
    ['GET', 'jobs?cursor=WyIxIiwiMiJd', undefined, '/cursor'],
    ['GET', 'dead-letters?cursor=WyIxIiwiMiJd', undefined, '/cursor'],
  ] as const)('refuses %s %s %j with a pointer', async (method, path, body, pointer) => {
    const answer = await server.ask(method, path, body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ pointer }]);
  });

  it('accepts a rebuild without a body, and refuses to confirm one before its switch', async () => {
    const job = await server.call('POST', 'projections/shared-context/rebuild');
    const refused = await server.ask('POST', `jobs/${job.jobId}/confirm`);
    expect(refused.body).toMatchObject({ status: 409, type: '/problems/run-state' });
    await server.call('POST', `jobs/${job.jobId}/cancel`);
  });
});
