import { caughtUp } from './caught-up.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const projected = () => caughtUp(server);

const child = (contextId: string, parent: string, more: object = {}) =>
  server.post('/v1/contexts', { contextId, parent, title: `Story ${contextId}`, ...more });

async function complete(contextId: string): Promise<void> {
  const path = `/v1/contexts/${contextId}`;
  await server.post(`${path}/steps/dev/start`);
  await server.post(`${path}/step-outputs`, { stepId: 'dev', output: 'done' });
  await server.post(`${path}/close`);
}

/** An epic with four stories: completed, failed, in progress, and not started. */
async function epic(contextId: string): Promise<string> {
  const path = await server.context(contextId);
  for (const story of ['1', '2', '3', '4']) await child(`${contextId}-${story}`, contextId);
  await complete(`${contextId}-1`);
  await server.post(`/v1/contexts/${contextId}-2/steps/dev/start`);
  await server.post(`/v1/contexts/${contextId}-2/steps/dev/fail`, { reason: 'tests are red' });
  await server.post(`/v1/contexts/${contextId}-3/steps/review/start`);
  await projected();
  return path;
}

const outcomes = (body: { children: { contextId: string; outcome: string }[] }) =>
  body.children.map(({ contextId, outcome }) => [contextId, outcome]);

describe('an epic', () => {
  it('lists its stories with status and outcome, and counts the outcomes', async () => {
    const { body } = await server.get(await epic('epic-42'));
    expect(body.children).toMatchObject([
      {
        contextId: 'epic-42-1',
        title: 'Story epic-42-1',
        status: 'closed',
        outcome: 'completed',
        activeAgent: null,
        createdAt: expect.any(String),
      },
      { contextId: 'epic-42-2', status: 'open', outcome: 'failed' },
      { contextId: 'epic-42-3', outcome: 'in_progress', activeAgent: 'admin' },
      { contextId: 'epic-42-4', outcome: 'not_started' },
    ]);
    expect(body.executionSummary).toEqual({
      total: 4,
      completed: 1,
      failed: 1,
      blocked: 0,
      inProgress: 1,
      notStarted: 1,
      cancelled: 0,
      skipped: 0,
      waiting: 0,
      unknown: 0,
      durationSeconds: expect.any(Number),
    });
  });

  it('shows a story as soon as its creation is acknowledged', async () => {
    const path = await server.context('epic-new');
    await child('epic-new-1', 'epic-new');
    const { body } = await server.get(path);
    expect(outcomes(body)).toEqual([['epic-new-1', 'not_started']]);
  });

  it('has a new representation after a story was created, although its version is unchanged', async () => {
    const path = await server.context('epic-asked');
    const conditional = { headers: { 'if-none-match': '"1"' } };
    expect((await server.get(path, conditional)).status).toBe(304);
    await child('epic-asked-1', 'epic-asked');
    const { status, headers, body } = await server.get(path, conditional);
    expect([status, headers['etag'], body.children.length]).toEqual([200, '"1"', 1]);
  });

  it('lists the stories of a past version without their current outcomes', async () => {
    const path = await server.context('epic-then');
    await child('epic-then-1', 'epic-then');
    await server.post(`${path}/step-outputs`, { stepId: 'plan', output: 1 });
    await child('epic-then-2', 'epic-then');
    await complete('epic-then-1');
    await projected();
    expect((await server.get(`${path}?asOf=1`)).body.children).toEqual([]);
    const { body } = await server.get(`${path}?asOf=2`);
    expect(body.children).toEqual([
      {
        contextId: 'epic-then-1',
        title: 'Story epic-then-1',
        createdAt: expect.any(String),
      },
    ]);
    expect(body).not.toHaveProperty('executionSummary');
    const currentTime = encodeURIComponent(new Date().toISOString());
    expect((await server.get(`${path}?asOf=${currentTime}`)).body.children).toHaveLength(2);
  });

  it('accepts its own document with unchanged or omitted stories, and refuses changed ones', async () => {
    const path = await epic('epic-put');
    const { body } = await server.get(path);
    const changed = { ...body, userPreferences: { tone: 'dry' } };
    const put = (document: object) =>
      server.call('PUT', path, { body: document, headers: { 'if-match': '"1"' } });
    for (const wrongChild of [{ contextId: 'nobody' }, { ...body.children[0], title: 'x' }]) {
      const refused = await put({ ...changed, children: [wrongChild] });
      expect([refused.status, refused.body.type]).toEqual([422, '/problems/not-expressible']);
    }
    expect((await put(changed)).status).toBe(201);
    const without = { _version: 2, children: body.children.slice(1), userPreferences: { a: 1 } };
    expect((await server.call('PUT', path, { body: without })).status).toBe(201);
    expect((await server.get(path)).body.children).toEqual(body.children);
  });
});

describe('the document of an epic', () => {
  it('can be written back unchanged although a story has changed', async () => {
    const path = await epic('epic-moved');
    const { body } = await server.get(path);
    await server.post('/v1/contexts/epic-moved-3/close', { reason: 'moved on' });
    await projected();
    const moved = await server.get(path);
    expect(moved.body.executionSummary).not.toEqual(body.executionSummary);
    expect(moved.body.children).not.toEqual(body.children);
    const replaced = await server.call('PUT', path, { body });
    expect([replaced.status, replaced.body.events]).toEqual([200, []]);
  });
});

describe('a retrospective over an epic', () => {
  it('reads the number of completed and failed stories and their total duration, from the visible content of each', async () => {
    const path = await server.context('epic-retro');
    for (let story = 1; story <= 8; story++) {
      await child(`epic-retro-${story}`, 'epic-retro');
      await complete(`epic-retro-${story}`);
    }
    await child('epic-retro-9', 'epic-retro');
    await server.post('/v1/contexts/epic-retro-9/steps/dev/start');
    await server.post('/v1/contexts/epic-retro-9/steps/dev/fail', { reason: 'gave up' });
    await projected();
    const key = await server.key({ role: 'agent', agentId: 'sm', audiences: ['retrospective'] });
    const { body } = await server.get(path, { key });
    expect(body.executionSummary).toEqual({
      total: 9,
      completed: 8,
      failed: 1,
      blocked: 0,
      inProgress: 0,
      notStarted: 0,
      cancelled: 0,
      skipped: 0,
      waiting: 0,
      unknown: 0,
      durationSeconds: expect.any(Number),
    });
    const all = await server.get(path);
    expect(outcomes(body)).toEqual(outcomes(all.body));
    const story = await server.get('/v1/contexts/epic-retro-9', { key });
    expect(story.body.parent).toBe('epic-retro');
  });
});

describe('the stories of an epic', () => {
  it('are blocked by an open breaker or a blocked task until it is cleared', async () => {
    const path = await server.context('epic-blocked');
    for (const story of ['1', '2']) await child(`epic-blocked-${story}`, 'epic-blocked');
    const [loop, task] = ['/v1/contexts/epic-blocked-1', '/v1/contexts/epic-blocked-2'];
    for (let iteration = 1; iteration <= 4; iteration++)
      await server.post(`${loop}/iterations`, { subject: 'review' });
    await server.post(`${task}/tasks`, { taskId: 't', title: 't' });
    await server.post(`${task}/tasks/t/start`);
    await server.post(`${task}/tasks/t/block`, { reason: 'no access' });
    await projected();
    const { body } = await server.get(path);
    expect(outcomes(body).map(([, outcome]) => outcome)).toEqual(['blocked', 'blocked']);
    expect(body.executionSummary).toMatchObject({ total: 2, blocked: 2 });
    await server.post(`${loop}/circuit-breakers/review/reset`, { reason: 'talked it over' });
    await server.post(`${task}/tasks/t/complete`);
    await projected();
    const later = await server.get(path);
    expect(later.body.executionSummary).toMatchObject({ completed: 1, notStarted: 1, blocked: 0 });
  });

  it('are limited to the reach of the key', async () => {
    await epic('epic-near');
    const parentKey = await server.key({ role: 'agent', agentId: 'lead', contexts: ['epic-near'] });
    expect(
      (await server.get('/v1/contexts/epic-near', { key: parentKey })).body.children,
    ).toHaveLength(4);
    const workflow = { workflow: { definitionId: 'sdd', version: 1 } };
    await server.post('/v1/contexts', { contextId: 'epic-sdd', ...workflow });
    await child('epic-sdd-1', 'epic-sdd', workflow);
    await child('epic-sdd-2', 'epic-sdd');
    const limited = await server.key({ role: 'agent', agentId: 'lead', workflows: ['sdd'] });
    const { body } = await server.get('/v1/contexts/epic-sdd', { key: limited });
    expect(outcomes(body)).toEqual([['epic-sdd-1', 'not_started']]);
    expect(body.executionSummary.total).toBe(1);
  });

  it('do not include contexts of another workspace with the same parent id', async () => {
    const path = await epic('epic-ours');
    const other = { headers: { workspace: server.workspaceNamed('theirs') } };
    const stranger = { contextId: 'stranger', parent: 'epic-ours' };
    expect((await server.post('/v1/contexts', stranger, other)).status).toBe(422);
    await server.post('/v1/contexts', { contextId: 'epic-ours' }, other);
    expect((await server.post('/v1/contexts', stranger, other)).status).toBe(201);
    await projected();
    expect((await server.get(path)).body.executionSummary.total).toBe(4);
  });

  it('have a parent that is another context, exists and is in reach', async () => {
    await epic('epic-there');
    const key = await server.key({ role: 'agent', contexts: ['lonely', 'own'] });
    const refusalOf = async (sent: object, options = {}) => {
      const { status, body } = await server.post('/v1/contexts', sent, options);
      expect([status, body.errors?.[0]]).toMatchObject([422, { pointer: '/parent' }]);
      return body.errors[0].detail;
    };
    const missing = { contextId: 'lonely', parent: 'nowhere' };
    const outOfReach = { contextId: 'lonely', parent: 'epic-there' };
    expect(await refusalOf(missing, { key })).toMatch(/create it first, or leave it out/);
    expect(await refusalOf(outOfReach, { key })).toBe(await refusalOf(missing, { key }));
    expect(await refusalOf(missing)).toBe(await refusalOf(missing, { key }));
    expect(await refusalOf({ contextId: 'own', parent: 'own' })).toMatch(/name another/);
    expect((await server.get('/v1/contexts/lonely')).status).toBe(404);
    expect((await child('lonely', 'epic-there')).status).toBe(201);
    expect((await child('own', 'lonely')).status).toBe(201);
  });

  it('show an audience only their visible state: a reviewer sees no failure', async () => {
    const path = await epic('epic-seen');
    const before = await server.get(`${path}?audience=reviewer`);
    expect(before.status).toBe(200);
    expect(outcomes(before.body)).not.toContainEqual(['epic-seen-2', 'failed']);
    await server.post('/v1/contexts/epic-seen-4/steps/dev/fail', { reason: 'a hidden one' });
    await projected();
    const after = await server.get(`${path}?audience=reviewer`);
    expect(after.body).toEqual(before.body);
    const all = await server.get(path);
    expect(outcomes(all.body)).toContainEqual(['epic-seen-4', 'failed']);
  });
});
