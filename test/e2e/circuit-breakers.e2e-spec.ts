import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let agent: string;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  agent = await server.key({ role: 'agent', agentId: 'sdd-coder' });
}, 120_000);

afterAll(() => server.stop());

const iteration = { subject: 'design_l1' };

/** A context in which the loop has had its three iterations. */
async function atItsLimit(contextId: string): Promise<string> {
  const path = await server.context(contextId);
  for (let at = 1; at <= 3; at++)
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(201);
  return path;
}

const typesOf = async (path: string) =>
  (await server.get(`${path}/events`)).body.items.map(({ type }: { type: string }) => type);

const breakerOf = async (path: string) =>
  (await server.get(path)).body.circuitBreakers['design_l1'];

describe('iterations over HTTP', () => {
  it('pass up to the limit; the next trips the breaker and is refused, as is every one after it', async () => {
    const path = await atItsLimit('tripping');
    expect(await breakerOf(path)).toEqual({ current: 3, max: 3, status: 'warning' });
    for (let at = 1; at <= 2; at++) {
      const refused = await server.post(`${path}/iterations`, iteration, { key: agent });
      expect([refused.status, refused.body]).toEqual([
        409,
        expect.objectContaining({
          type: '/problems/circuit-open',
          ...iteration,
          current: 3,
          max: 3,
        }),
      ]);
    }
    const { body } = await server.get(path);
    expect(body._version).toBe(5);
    expect(body.currentState.status).toBe('blocked');
    expect(body.iterationCounts).toEqual({ design_l1: 3 });
    expect(await breakerOf(path)).toMatchObject({
      current: 3,
      max: 3,
      status: 'tripped',
      agentId: 'sdd-coder',
      version: 5,
    });
  });

  it('go on once a person has reset the breaker, which no agent may', async () => {
    const path = await atItsLimit('resetting');
    await server.post(`${path}/iterations`, iteration);
    const place = `${path}/circuit-breakers/design_l1/reset`;
    const forbidden = await server.post(place, {}, { key: agent });
    expect([forbidden.status, forbidden.body.type]).toEqual([403, '/problems/forbidden']);
    const inBatch = await server.post(
      `${path}/events`,
      { events: [{ type: 'CircuitBreakerReset', data: iteration }] },
      { key: agent },
    );
    expect(inBatch.status).toBe(403);
    const operator = await server.key({ role: 'operator' });
    const reset = await server.post(place, { reason: 'scope cut', max: 5 }, { key: operator });
    expect([reset.status, reset.body.events[0].type]).toEqual([201, 'CircuitBreakerReset']);
    const again = await server.post(place, { max: 5 }, { key: operator });
    expect([again.status, again.body.events]).toEqual([200, []]);
    const passed = await server.post(`${path}/iterations`, iteration, { key: agent });
    expect(passed.status).toBe(201);
    const { body } = await server.get(path);
    expect(body.iterationCounts).toEqual({ design_l1: 4 });
    expect(body.circuitBreakers.design_l1).toMatchObject({
      current: 1,
      max: 5,
      status: 'ok',
      reason: 'scope cut',
    });
    const unknown = await server.post(`${path}/circuit-breakers/unknown/reset`);
    expect([unknown.status, unknown.body.type]).toEqual([404, '/problems/not-found']);
  });

  it('may tighten the limit and not widen it', async () => {
    const path = await server.context('limits');
    const upTo = (max: number) => server.post(`${path}/iterations`, { ...iteration, max });
    const wider = await upTo(4);
    expect([wider.status, wider.body.errors[0].pointer]).toEqual([422, '/max']);
    expect((await upTo(1)).status).toBe(201);
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(409);
  });

  it('leave nothing of a batch behind but that the breaker tripped', async () => {
    const path = await atItsLimit('in-a-batch');
    const events = [
      { type: 'StepStarted', data: { stepId: 'a' } },
      { type: 'IterationStarted', data: iteration },
      { type: 'StepStarted', data: { stepId: 'b' } },
    ];
    const refused = await server.post(`${path}/events`, { events });
    expect([refused.status, refused.body.type]).toEqual([409, '/problems/circuit-open']);
    expect((await typesOf(path)).slice(4)).toEqual(['CircuitBreakerTripped']);
  });

  it('stay refused to an agent that would go back to before the breaker tripped', async () => {
    const path = await atItsLimit('going-back');
    await server.post(`${path}/iterations`, iteration);
    const back = (key?: string) =>
      server.post(`${path}/restore`, { version: 1 }, key === undefined ? {} : { key });
    const refused = await back(agent);
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ type: '/problems/circuit-open', ...iteration }),
    ]);
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(409);
    const restored = await back();
    expect([
      restored.status,
      restored.body.events.map(({ type }: { type: string }) => type),
    ]).toEqual([201, ['ContextRestored', 'IterationsCarried']]);
    expect(await breakerOf(path)).toMatchObject({ current: 3, max: 3, status: 'tripped' });
    expect((await server.post(`${path}/iterations`, iteration, { key: agent })).status).toBe(409);
    expect((await back(agent)).status).toBe(409);
  });

  it('count on when an agent goes back again and again, or goes on in forks', async () => {
    const path = await server.context('round-and-round');
    const start = (at: string) => server.post(`${at}/iterations`, iteration, { key: agent });
    for (let at = 1; at <= 3; at++) {
      expect((await start(path)).status).toBe(201);
      const back = await server.post(`${path}/restore`, { version: 1 }, { key: agent });
      expect(back.status).toBe(201);
    }
    expect(await breakerOf(path)).toEqual({ current: 3, max: 3, status: 'warning' });
    const forked = await server.post(
      `${path}/forks`,
      { atVersion: 1, contextId: 'other-round' },
      { key: agent },
    );
    expect(forked.status).toBe(201);
    const fork = '/v1/contexts/other-round';
    expect(await breakerOf(fork)).toEqual({ current: 3, max: 3, status: 'warning' });
    expect([(await start(path)).status, (await start(fork)).status]).toEqual([409, 409]);
    const later = await server.post(
      `${path}/forks`,
      { atVersion: 1, contextId: 'last-round' },
      { key: agent },
    );
    expect(later.status).toBe(201);
    expect(await breakerOf('/v1/contexts/last-round')).toMatchObject({ status: 'tripped' });
    const listed = await server.get('/v1/contexts/last-round');
    expect(listed.body.currentState.status).toBe('blocked');
  });

  it('trip nothing if their write is refused for another reason', async () => {
    const path = await server.context('refused-document');
    const counts = { iterationCounts: { design_l1: 4 } };
    const ifMatch = { headers: { 'if-match': '"1"' } };
    const refused = await server.call('PUT', path, { body: counts, ...ifMatch });
    expect([refused.status, refused.body.type]).toEqual([409, '/problems/circuit-open']);
    expect((await server.get(path)).body).toMatchObject({ _version: 1, circuitBreakers: {} });
    const last = await atItsLimit('refused-last-document');
    const beyond = await server.call('PUT', last, { body: { ...counts, _version: 4 } });
    expect([beyond.status, beyond.body.type]).toEqual([409, '/problems/circuit-open']);
    expect((await server.get(last)).body._version).toBe(4);
    expect(await breakerOf(last)).toMatchObject({ status: 'warning' });
    const full = await atItsLimit('refused-batch');
    const events = [
      { type: 'IterationStarted', data: iteration },
      { type: 'TaskCompleted', data: { taskId: 'none' } },
    ];
    expect((await server.post(`${full}/events`, { events })).status).toBe(409);
    expect((await server.get(full)).body._version).toBe(4);
  });

  it('burn no idempotency key when they are refused', async () => {
    const path = await atItsLimit('keyed');
    const headers = { 'idempotency-key': 'again' };
    const send = () => server.post(`${path}/iterations`, iteration, { headers });
    expect([(await send()).status, (await send()).status]).toEqual([409, 409]);
    await server.post(`${path}/circuit-breakers/design_l1/reset`);
    const passed = await send();
    expect(passed.status).toBe(201);
    expect((await send()).text).toBe(passed.text);
    expect((await typesOf(path)).slice(4)).toEqual([
      'CircuitBreakerTripped',
      'CircuitBreakerReset',
      'IterationStarted',
    ]);
  });

  it('trip nothing where the condition of the write is not met', async () => {
    const path = await atItsLimit('conditional');
    const stale = { headers: { 'if-match': '"1"' } };
    expect((await server.post(`${path}/iterations`, iteration, stale)).status).toBe(412);
    const met = { headers: { 'if-match': '"4"' } };
    expect((await server.post(`${path}/iterations`, iteration, met)).status).toBe(409);
    const after = await server.post(`${path}/iterations`, iteration, met);
    expect([after.status, after.body.currentVersion]).toEqual([412, 5]);
  });

  it('pass exactly as often as the limit says when many race', async () => {
    const path = await server.context('raced');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => server.post(`${path}/iterations`, iteration)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 409)]);
    expect((await typesOf(path)).slice(4)).toEqual(['CircuitBreakerTripped']);
  });

  it('follow the setting of the workspace where nobody stated a limit', async () => {
    const changed = await server.call('PATCH', '/v1/settings', { body: { maxIterations: 1 } });
    expect([changed.status, changed.body.maxIterations]).toEqual([200, 1]);
    const path = await server.context('limited');
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(201);
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(409);
    const back = await server.call('PATCH', '/v1/settings', { body: { maxIterations: null } });
    expect(back.body.maxIterations).toBe(3);
    const none = await server.call('PATCH', '/v1/settings', { body: { maxIterations: 0 } });
    expect([none.status, none.body.errors[0].pointer]).toEqual([422, '/maxIterations']);
  });

  it('are refused once somebody has tripped the breaker by hand', async () => {
    const path = await server.context('by-hand');
    const data = { ...iteration, reason: 'it goes in circles' };
    const events = [{ type: 'CircuitBreakerTripped', data }];
    expect((await server.post(`${path}/events`, { events }, { key: agent })).status).toBe(201);
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(409);
    expect(await breakerOf(path)).toMatchObject({ current: 0, max: 3, status: 'tripped' });
  });
});
