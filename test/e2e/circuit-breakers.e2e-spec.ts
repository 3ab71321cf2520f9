import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let agent: string;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  agent = await server.key({ role: 'agent', agentId: 'sdd-coder' });
}, 120_000);

afterAll(() => server.stop());

const iteration = { subject: 'design_l1' };

/** Creates a context whose loop has used its three iterations. */
async function contextAtLimit(contextId: string): Promise<string> {
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
  it('are accepted up to the limit; the next one trips the breaker and is refused, as are all later ones', async () => {
    const path = await contextAtLimit('tripping');
    expect(await breakerOf(path)).toEqual({ current: 3, max: 3, status: 'warning' });
    for (let at = 1; at <= 2; at++) {
      const response = await server.post(`${path}/iterations`, iteration, { key: agent });
      expect([response.status, response.body]).toEqual([
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

  it('are accepted again once a person has reset the breaker, which agents may not do', async () => {
    const path = await contextAtLimit('resetting');
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
    const accepted = await server.post(`${path}/iterations`, iteration, { key: agent });
    expect(accepted.status).toBe(201);
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

  it('may tighten the limit but not widen it', async () => {
    const path = await server.context('limits');
    const startWithMax = (max: number) => server.post(`${path}/iterations`, { ...iteration, max });
    const wider = await startWithMax(4);
    expect([wider.status, wider.body.errors[0].pointer]).toEqual([422, '/max']);
    expect((await startWithMax(1)).status).toBe(201);
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(409);
  });

  it('store only the tripping of the breaker if they are refused in a batch', async () => {
    const path = await contextAtLimit('in-a-batch');
    const events = [
      { type: 'StepStarted', data: { stepId: 'a' } },
      { type: 'IterationStarted', data: iteration },
      { type: 'StepStarted', data: { stepId: 'b' } },
    ];
    const refused = await server.post(`${path}/events`, { events });
    expect([refused.status, refused.body.type]).toEqual([409, '/problems/circuit-open']);
    expect((await typesOf(path)).slice(4)).toEqual(['CircuitBreakerTripped']);
  });

  it('stay refused after an agent tries to restore a version before the breaker tripped', async () => {
    const path = await contextAtLimit('going-back');
    await server.post(`${path}/iterations`, iteration);
    const restore = (key?: string) =>
      server.post(`${path}/restore`, { version: 1 }, key === undefined ? {} : { key });
    const refused = await restore(agent);
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ type: '/problems/circuit-open', ...iteration }),
    ]);
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(409);
    const restored = await restore();
    expect([
      restored.status,
      restored.body.events.map(({ type }: { type: string }) => type),
    ]).toEqual([201, ['ContextRestored', 'IterationsCarried']]);
    expect(await breakerOf(path)).toMatchObject({ current: 3, max: 3, status: 'tripped' });
    expect((await server.post(`${path}/iterations`, iteration, { key: agent })).status).toBe(409);
    expect((await restore(agent)).status).toBe(409);
  });

  it('are counted across repeated restores and in forks', async () => {
    const path = await server.context('round-and-round');
    const start = (at: string) => server.post(`${at}/iterations`, iteration, { key: agent });
    for (let at = 1; at <= 3; at++) {
      expect((await start(path)).status).toBe(201);
      const restored = await server.post(`${path}/restore`, { version: 1 }, { key: agent });
      expect(restored.status).toBe(201);
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
    const secondFork = await server.post(
      `${path}/forks`,
      { atVersion: 1, contextId: 'last-round' },
      { key: agent },
    );
    expect(secondFork.status).toBe(201);
    expect(await breakerOf('/v1/contexts/last-round')).toMatchObject({ status: 'tripped' });
    const document = await server.get('/v1/contexts/last-round');
    expect(document.body.currentState.status).toBe('blocked');
  });

  it('do not trip the breaker if the write is refused for another reason', async () => {
    const path = await server.context('refused-document');
    const counts = { iterationCounts: { design_l1: 4 } };
    const ifMatch = { headers: { 'if-match': '"1"' } };
    const refused = await server.call('PUT', path, { body: counts, ...ifMatch });
    expect([refused.status, refused.body.type]).toEqual([409, '/problems/circuit-open']);
    expect((await server.get(path)).body).toMatchObject({ _version: 1, circuitBreakers: {} });
    const documentPath = await contextAtLimit('refused-last-document');
    const refusedDocument = await server.call('PUT', documentPath, {
      body: { ...counts, _version: 4 },
    });
    expect([refusedDocument.status, refusedDocument.body.type]).toEqual([
      409,
      '/problems/circuit-open',
    ]);
    expect((await server.get(documentPath)).body._version).toBe(4);
    expect(await breakerOf(documentPath)).toMatchObject({ status: 'warning' });
    const batchPath = await contextAtLimit('refused-batch');
    const events = [
      { type: 'IterationStarted', data: iteration },
      { type: 'TaskCompleted', data: { taskId: 'none' } },
    ];
    expect((await server.post(`${batchPath}/events`, { events })).status).toBe(409);
    expect((await server.get(batchPath)).body._version).toBe(4);
  });

  it('do not use up an idempotency key if they are refused', async () => {
    const path = await contextAtLimit('keyed');
    const headers = { 'idempotency-key': 'again' };
    const send = () => server.post(`${path}/iterations`, iteration, { headers });
    expect([(await send()).status, (await send()).status]).toEqual([409, 409]);
    await server.post(`${path}/circuit-breakers/design_l1/reset`);
    const accepted = await send();
    expect(accepted.status).toBe(201);
    expect((await send()).text).toBe(accepted.text);
    expect((await typesOf(path)).slice(4)).toEqual([
      'CircuitBreakerTripped',
      'CircuitBreakerReset',
      'IterationStarted',
    ]);
  });

  it('do not trip the breaker if the condition of the write fails', async () => {
    const path = await contextAtLimit('conditional');
    const stale = { headers: { 'if-match': '"1"' } };
    expect((await server.post(`${path}/iterations`, iteration, stale)).status).toBe(412);
    const current = { headers: { 'if-match': '"4"' } };
    expect((await server.post(`${path}/iterations`, iteration, current)).status).toBe(409);
    const after = await server.post(`${path}/iterations`, iteration, current);
    expect([after.status, after.body.currentVersion]).toEqual([412, 5]);
  });

  it('are accepted exactly up to the limit if many clients race', async () => {
    const path = await server.context('raced');
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => server.post(`${path}/iterations`, iteration)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 409)]);
    expect((await typesOf(path)).slice(4)).toEqual(['CircuitBreakerTripped']);
  });

  it('have the limit of the workspace if no limit is stated', async () => {
    const changed = await server.call('PATCH', '/v1/settings', { body: { maxIterations: 1 } });
    expect([changed.status, changed.body.maxIterations]).toEqual([200, 1]);
    const path = await server.context('limited');
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(201);
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(409);
    const reset = await server.call('PATCH', '/v1/settings', { body: { maxIterations: null } });
    expect(reset.body.maxIterations).toBe(3);
    const none = await server.call('PATCH', '/v1/settings', { body: { maxIterations: 0 } });
    expect([none.status, none.body.errors[0].pointer]).toEqual([422, '/maxIterations']);
  });

  it('are refused once a client has tripped the breaker explicitly', async () => {
    const path = await server.context('by-hand');
    const data = { ...iteration, reason: 'it goes in circles' };
    const events = [{ type: 'CircuitBreakerTripped', data }];
    expect((await server.post(`${path}/events`, { events }, { key: agent })).status).toBe(201);
    expect((await server.post(`${path}/iterations`, iteration)).status).toBe(409);
    expect(await breakerOf(path)).toMatchObject({ current: 0, max: 3, status: 'tripped' });
  });
});
