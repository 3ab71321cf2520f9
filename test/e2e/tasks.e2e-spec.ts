import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const task = { taskId: 'task-001', title: 'User model', estimate: 2 };

describe('tasks over HTTP', () => {
  it('are planned, started, blocked, resumed and completed', async () => {
    const path = await server.context('worked-on');
    const calls = [
      ['', task, 'TaskPlanned'],
      ['/task-001/start', { agent: 'sdd-coder' }, 'TaskStarted'],
      ['/task-001/block', { reason: 'no schema' }, 'TaskBlocked'],
      ['/task-001/start', { agent: 'sdd-coder' }, 'TaskStarted'],
      ['/task-001/complete', undefined, 'TaskCompleted'],
    ] as const;
    for (const [at, [route, body, type]] of calls.entries()) {
      const answer = await server.post(`${path}/tasks${route}`, body);
      expect([answer.status, answer.headers['etag'], answer.body.events]).toEqual([
        201,
        `"${at + 2}"`,
        [expect.objectContaining({ type })],
      ]);
      const again = await server.post(`${path}/tasks${route}`, body);
      expect([again.status, again.body.version, again.body.events]).toEqual([200, at + 2, []]);
    }
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect((await server.get(path)).body.tasks).toEqual([
      {
        ...task,
        dependsOn: [],
        acceptanceCriteria: [],
        status: 'completed',
        agentId: 'sdd-coder',
        plannedBy: 'admin',
        version: 2,
        timestamp: time,
        startedAt: time,
        completedAt: time,
        completedBy: 'admin',
      },
    ]);
    expect((await server.get(`${path}?asOf=4`)).body.tasks).toMatchObject([
      { status: 'blocked', reason: 'no schema', completedAt: null },
    ]);
  });

  it('get an id if none is sent, which the answer contains', async () => {
    const path = await server.context('unnamed');
    const { status, body } = await server.post(`${path}/tasks`, { title: 'Anything' });
    expect([status, body.taskId]).toEqual([201, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect((await server.get(path)).body.tasks).toMatchObject([{ taskId: body.taskId }]);
  });

  it('get 404 until they are planned, and 422 for an invalid transition', async () => {
    const path = await server.context('unplanned');
    for (const route of ['start', 'complete']) {
      const unknown = await server.post(`${path}/tasks/nobody/${route}`);
      expect([unknown.status, unknown.body.type]).toEqual([404, '/problems/not-found']);
    }
    const unplanned = await server.post(`${path}/tasks`, { ...task, dependsOn: ['task-000'] });
    expect([unplanned.status, unplanned.body.errors[0].pointer]).toEqual([422, '/dependsOn/0']);
    await server.post(`${path}/tasks`, task);
    const other = await server.post(`${path}/tasks`, { ...task, title: 'Else' });
    expect([other.status, other.body.errors[0].pointer]).toEqual([422, '/taskId']);
    const reasonless = await server.post(`${path}/tasks/task-001/block`, {});
    expect([reasonless.status, reasonless.body.errors[0].pointer]).toEqual([422, '/reason']);
  });

  it('are planned in one batch, in which later ones may depend on earlier ones', async () => {
    const path = await server.context('in-a-batch');
    const planned = (taskId: string, dependsOn: readonly string[]) => ({
      type: 'TaskPlanned',
      data: { taskId, title: taskId, dependsOn },
    });
    const events = [planned('a', []), planned('b', ['a']), planned('c', ['a', 'x'])];
    const refused = await server.post(`${path}/events`, { events });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([
      422,
      '/events/2/data/dependsOn/1',
    ]);
    const { status } = await server.post(`${path}/events`, { events: events.slice(0, 2) });
    expect(status).toBe(201);
    expect((await server.get(path)).body.tasks).toMatchObject([{ taskId: 'a' }, { taskId: 'b' }]);
  });

  it('change their status if the document is written with another one, and only then', async () => {
    const path = await server.context('written');
    await server.post(`${path}/tasks`, task);
    const { body } = await server.get(path);
    const put = (tasks: readonly object[], version: number) =>
      server.call('PUT', path, { body: { tasks }, headers: { 'if-match': `"${version}"` } });
    const entry = body.tasks[0];
    const changed = await put([{ ...entry, status: 'in_progress' }, { title: 'New' }], 2);
    expect([changed.status, changed.body.events.map(({ type }: { type: string }) => type)]).toEqual(
      [201, ['TaskStarted', 'TaskPlanned']],
    );
    const [now, added] = (await server.get(path)).body.tasks;
    const blocked = await put([{ ...now, status: 'blocked', reason: 'no schema' }, added], 4);
    expect([blocked.status, blocked.body.events[0].type]).toEqual([201, 'TaskBlocked']);
    const restored = await put([{ ...now, status: 'planned', reason: 'x', title: 'y' }, added], 5);
    expect([restored.status, restored.body.type, restored.body.errors[0].pointer]).toEqual([
      422,
      '/problems/not-expressible',
      '/tasks/0/title',
    ]);
  });

  it('have their changes in a difference', async () => {
    const path = await server.context('compared');
    await server.post(`${path}/tasks`, task);
    await server.post(`${path}/tasks/task-001/start`);
    const { body } = await server.get(`${path}/diff?from=2&to=3`);
    expect(body.entriesChanged).toMatchObject([
      {
        part: 'tasks',
        key: 'task-001',
        before: { status: 'planned' },
        after: { status: 'in_progress' },
      },
    ]);
  });
});
