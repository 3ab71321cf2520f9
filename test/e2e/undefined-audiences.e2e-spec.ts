import { type ServerDatabase, openServerDatabase } from './server-stores.js';
import { ThroughlineServer } from './throughline-server.js';

let stores: ServerDatabase;
let server: ThroughlineServer;

beforeAll(async () => {
  stores = await openServerDatabase();
  server = await ThroughlineServer.start(stores.env);
}, 120_000);

afterAll(async () => {
  await server.stop();
  await stores.close();
});

/** A key as it could be created before audiences were checked. */
async function keyFor(
  audiences: readonly string[],
  role = 'operator',
  more: object = {},
): Promise<string> {
  const { body } = await server.post('/v1/keys', { role, ...more });
  await stores.database.pool.query(
    `update throughline.api_keys
     set grant_json = jsonb_set(grant_json::jsonb, '{audiences}', $1::jsonb)::text where key_id = $2`,
    [JSON.stringify(audiences), body.keyId],
  );
  return body.secret;
}

const task = { type: 'TaskPlanned', data: { taskId: 'hidden', title: 't' } };
const decision = { type: 'DecisionRecorded', data: { decisionId: 'hidden', decision: 'd' } };

describe('a key for undefined audiences', () => {
  it('cannot be created, except for built-in audiences and those of its workspace', async () => {
    const createKey = (audiences: readonly string[], more: object = {}) =>
      server.post('/v1/keys', { role: 'agent', audiences, ...more });
    const refused = await createKey(['reviewer', 'reviwer']);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [
        {
          pointer: '/audiences/1',
          detail: expect.stringMatching(
            /no audience "reviwer".*PUT \/v1\/policies\/reviwer.*reviewer/,
          ),
        },
      ],
    ]);
    expect((await createKey(['all', 'reviewer', 'retrospective'])).status).toBe(201);
    const show = [{ types: ['TaskPlanned'] }];
    expect((await server.call('PUT', '/v1/policies/planners', { body: { show } })).status).toBe(
      200,
    );
    expect((await createKey(['planners'])).status).toBe(201);
    expect((await createKey(['planners'], { workspace: 'elsewhere' })).status).toBe(422);
  });

  it('reads nothing of a context, not even missed events', async () => {
    await server.context('c');
    await server.post('/v1/contexts/c/step-outputs', { stepId: 's', output: 1 });
    const key = await keyFor(['nobody'], 'agent');
    for (const path of [
      '',
      '/events',
      '/decisions',
      '/artifacts',
      '/step-outputs/s',
      '/diff?from=1',
      '/changes?since=1',
      '/checkpoints',
      '/check',
      '/view',
      '/items/step-output:s',
    ])
      expect((await server.get(`/v1/contexts/c${path}`, { key })).body.type).toBe(
        '/problems/not-found',
      );
    const headers = { 'if-match': '"1"' };
    const output = { stepId: 's', output: 1 };
    const refused = await server.post('/v1/contexts/c/step-outputs', output, { key, headers });
    expect(refused.body).toMatchObject({ type: '/problems/version-conflict', missed: [] });
    const put = await server.call('PUT', '/v1/contexts/c', { key, headers, body: {} });
    expect(put.body.type).toBe('/problems/not-found');
  });
});

describe('claiming work with an undefined audience', () => {
  it('is refused, whether or not work is waiting', async () => {
    const steps = [{ id: 'only', type: 'agent', agent: 'only' }];
    expect((await server.post('/v1/workflows', { id: 'one', steps })).status).toBe(201);
    const path = await server.context('with-work');
    const key = await keyFor(['nobody'], 'agent', { agentId: 'only' });
    const claim = async (wait: number) => {
      const { status, body } = await server.post(
        '/v1/work/claim',
        { agents: ['only'], wait },
        { key },
      );
      return [status, body.type, body.detail];
    };
    const before = await claim(0);
    expect(before.slice(0, 2)).toEqual([404, '/problems/not-found']);
    expect((await server.post(`${path}/run`, { definitionId: 'one' })).status).toBe(201);
    expect([await claim(1), await claim(0)]).toEqual([before, before]);
    expect((await server.get(`${path}/run`)).body.active[0].status).toBe('scheduled');
  });
});

describe('acting on hidden items', () => {
  it('is refused for every item if the audience is undefined', async () => {
    const path = await server.context('undefined-audience');
    await server.post(`${path}/events`, { events: [task] });
    const key = await keyFor(['undefined']);
    const to = `${path}/tasks/hidden/complete`;
    expect((await server.get(path, { key })).status).toBe(404);
    expect((await server.post(to, {}, { key })).status).toBe(404);
    expect((await server.post(to, {})).status).toBe(201);
  });

  it('is refused for items that no audience of the key shows, and permitted for items of any of its audiences', async () => {
    const path = await server.context('several-audiences');
    const show = [{ types: ['TaskPlanned'] }];
    const signalsOnly = { show: [{ types: ['SignalEmitted'] }] };
    await server.call('PUT', '/v1/policies/planning', { body: { show } });
    await server.call('PUT', '/v1/policies/blind', { body: signalsOnly });
    await server.post(`${path}/events`, { events: [task, decision] });
    const key = await keyFor(['blind', 'undefined', 'planning']);
    const data = { decision: 'mine', supersedes: 'hidden' };
    const events = [{ type: 'DecisionRecorded', data }];
    const refused = await server.post(`${path}/events`, { events }, { key });
    expect(refused.status).toBe(422);
    expect((await server.post(`${path}/tasks/hidden/complete`, {}, { key })).status).toBe(201);
  });
});
