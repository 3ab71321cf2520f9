import { throughlineOn } from './throughline-on.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const openWork = [
  { type: 'StepStarted', data: { stepId: 'build' } },
  { type: 'TaskPlanned', data: { taskId: 'task-001', title: 'T' } },
  { type: 'BlockerRaised', data: { blockerId: 'B-1', description: 'no licence' } },
  { type: 'HandoverNoted', data: { handoverId: 'H-1', to: 'sdd-pe', note: 'n' } },
  { type: 'InputRequested', data: { inputRequestId: 'IN-1', path: 'p', from: 'sdd-pe' } },
  {
    type: 'ReviewRecorded',
    data: {
      reviewId: 'r1',
      artifact: 'a.md',
      status: 'REJECTED_WITH_FEEDBACK',
      keyIssues: [{ issueId: 'r1.1', severity: 'critical', text: 'no tests' }],
    },
  },
];

describe('closing a context', () => {
  it('states an outcome once: a repetition adds nothing, and another outcome is refused until the context is reopened', async () => {
    const path = await server.context('given-up');
    const body = { outcome: 'failed', reason: 'gave up' };
    const first = await server.post(`${path}/close`, body);
    expect([first.status, first.body.version, first.body.open]).toEqual([201, 2, []]);
    for (const again of [body, { outcome: 'failed' }, {}]) {
      const { status, body: answer } = await server.post(`${path}/close`, again);
      expect([status, answer.version, answer.events, answer.open]).toEqual([200, 2, [], []]);
    }
    const other = await server.post(`${path}/close`, { outcome: 'completed' });
    expect([other.status, other.body.type]).toEqual([409, '/problems/context-closed']);
    expect(other.body.detail).toContain('with the outcome "failed"');
    await server.post(`${path}/reopen`);
    expect((await server.post(`${path}/close`, { outcome: 'skipped' })).status).toBe(201);
    const { items } = (await server.get(`${path}/events`)).body;
    expect(items.at(-1)).toMatchObject({ schemaVersion: 2, data: { outcome: 'skipped' } });
  });

  it('accepts no other outcomes', async () => {
    const path = await server.context('unclear');
    const { status, body } = await server.post(`${path}/close`, { outcome: 'done' });
    expect([status, body.errors[0].pointer]).toEqual([422, '/outcome']);
  });

  it('lists the open work, and the same list if the request is repeated', async () => {
    const path = await server.context('unfinished');
    await server.post(`${path}/events`, { events: openWork });
    const options = { headers: { 'idempotency-key': 'close-unfinished' } };
    const first = await server.post(`${path}/close`, { outcome: 'cancelled' }, options);
    expect(first.body.open).toEqual([
      { kind: 'step', ref: 'step:build' },
      { kind: 'task', ref: 'task:task-001' },
      { kind: 'blocker', ref: 'blocker:B-1' },
      { kind: 'issue', ref: 'issue:r1.1' },
      { kind: 'handover', ref: 'handover:H-1' },
      { kind: 'input-request', ref: 'input-request:IN-1' },
    ]);
    await server.post(`${path}/reopen`);
    await server.post(`${path}/blockers/B-1/clear`);
    const repeated = await server.post(`${path}/close`, { outcome: 'cancelled' }, options);
    expect([repeated.status, repeated.body]).toEqual([201, first.body]);
  });

  it('lists only open work that is visible to the key', async () => {
    const path = await server.context('unseen');
    await server.post(`${path}/events`, { events: openWork });
    const key = await server.key({ role: 'agent', agentId: 'cold', audiences: ['reviewer'] });
    const { body } = await server.post(`${path}/close`, {}, { key });
    expect(body.open).toEqual([{ kind: 'task', ref: 'task:task-001' }]);
  });

  it('works from the command line, which lists the open work', async () => {
    const path = await server.context('from-the-shell');
    await server.post(`${path}/events`, { events: openWork.slice(0, 2) });
    const close = () =>
      throughlineOn(server, ['context', 'close', 'from-the-shell', '--outcome', 'skipped']);
    expect(await close()).toMatchObject({
      code: 0,
      out: 'from-the-shell closed (version 4)\nstill open: step:build\nstill open: task:task-001',
    });
    expect((await close()).out).toContain('from-the-shell was closed already (version 4)');
    const other = ['context', 'close', 'from-the-shell', '--outcome', 'completed'];
    expect(await throughlineOn(server, other)).toMatchObject({
      code: 3,
      err: expect.stringContaining('with the outcome "skipped"'),
    });
  });

  it('lists 100 open items, and counts the others', async () => {
    const path = await server.context('crowded');
    const events = Array.from({ length: 101 }, (_, at) => ({
      type: 'TaskPlanned',
      data: { taskId: `task-${at}`, title: 'T' },
    }));
    await server.post(`${path}/events`, { events });
    const { body } = await server.post(`${path}/close`);
    expect([body.open.length, body.openTotal]).toEqual([100, 101]);
  });
});
