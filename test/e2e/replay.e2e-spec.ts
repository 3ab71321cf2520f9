import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.start();
}, 120_000);

afterAll(() => server.stop());

/** A context of seven versions: created, an output, a decision, then all of it once more. */
async function storage(contextId: string): Promise<string> {
  const path = await server.context(contextId);
  await server.post(`${path}/step-outputs`, { stepId: 'plan', output: { files: 1 } });
  await server.post(`${path}/decisions`, { topic: 'db', decision: 'SQLite' });
  await server.post(`${path}/decisions`, {
    decision: 'keep one file',
    relatedDecisions: [{ decisionId: 'DEC-001', relation: 'requires' }],
  });
  await server.post(`${path}/step-outputs`, { stepId: 'plan', output: { files: 2 } });
  await server.post(`${path}/decisions`, {
    topic: 'db',
    decision: 'PostgreSQL',
    supersedes: 'DEC-001',
  });
  await server.call('PATCH', `${path}/preferences`, { body: { tone: 'dry' } });
  return path;
}

describe('GET /contexts/{id}/diff', () => {
  let path: string;
  beforeAll(async () => {
    path = await storage('compared');
  });

  it('says in words of the context what became of it', async () => {
    const { status, body, headers } = await server.get(`${path}/diff?from=4&to=7`);
    expect([status, headers['etag']]).toEqual([200, '"7"']);
    expect(body).toMatchObject({
      contextId: 'compared',
      from: 4,
      to: 7,
      created: null,
      decisionsMade: [{ decisionId: 'DEC-003', decision: 'PostgreSQL', live: true }],
      decisionsSuperseded: [{ decisionId: 'DEC-001', supersededBy: 'DEC-003' }],
      decisionsStale: [{ decisionId: 'DEC-002' }],
      outputsAdded: [],
      outputsReplaced: [
        { stepId: 'plan', before: { output: { files: 1 } }, after: { output: { files: 2 } } },
      ],
      preferencesChanged: [{ key: 'tone', after: 'dry' }],
    });
  });

  it('goes up to now when `to` is left out, and from before the first version for 0', async () => {
    const { body } = await server.get(`${path}/diff?from=0`);
    expect(body).toMatchObject({ from: 0, to: 7, created: { status: 'open' } });
    expect(body.decisionsMade).toHaveLength(3);
    expect(body.outputsAdded).toMatchObject([{ stepId: 'plan', output: { files: 2 } }]);
  });

  it('takes times where it takes versions', async () => {
    const { body } = await server.get(`${path}/events?limit=50`);
    const at = encodeURIComponent(body.items[4].recordedAt);
    const between = await server.get(`${path}/diff?from=2001-01-01T00:00:00Z&to=${at}`);
    expect(between.body.from).toBe(0);
    expect(between.body.to).toBeGreaterThanOrEqual(5);
  });

  it('has nothing to say of a version and itself', async () => {
    const { body } = await server.get(`${path}/diff?from=5&to=5`);
    const { contextId, from, to, ...parts } = body;
    expect([contextId, from, to]).toEqual(['compared', 5, 5]);
    expect(Object.values(parts).filter((part) => part !== null)).toEqual(
      Object.values(parts).flatMap((part) => (part === null ? [] : [[]])),
    );
  });

  it.each(['from=5&to=4', 'from=8', 'from=1&to=99', 'from=noon', 'from=2026-01-25'])(
    'refuses %s as an invalid position',
    async (query) => {
      const { status, body } = await server.get(`${path}/diff?${query}`);
      expect([status, body.type]).toEqual([422, '/problems/invalid-position']);
    },
  );

  it('needs to know from where', async () => {
    expect((await server.get(`${path}/diff`)).body.errors).toMatchObject([{ pointer: '/from' }]);
  });
});

describe('GET /contexts/{id}/changes', () => {
  let path: string;
  beforeAll(async () => {
    path = await storage('followed');
  });

  it('tells who has last read at a version what to know, and what happened', async () => {
    const { body, headers } = await server.get(`${path}/changes?since=5`);
    expect(headers['etag']).toBe('"7"');
    expect(body).toMatchObject({
      contextId: 'followed',
      from: 5,
      to: 7,
      difference: { decisionsStale: [{ decisionId: 'DEC-002' }] },
      items: [
        {
          version: 6,
          type: 'DecisionRecorded',
          principal: 'admin',
          agentId: 'admin',
          line: 'decided DEC-003: PostgreSQL (supersedes DEC-001)',
        },
        { version: 7, type: 'PreferencesSet', line: 'preferences: tone' },
      ],
      nextCursor: null,
    });
  });

  it('pages through one range, whatever is written meanwhile', async () => {
    const moving = await storage('moving');
    const first = (await server.get(`${moving}/changes?since=1&limit=4`)).body;
    await server.post(`${moving}/step-outputs`, { stepId: 'late', output: 1 });
    const cursor = encodeURIComponent(first.nextCursor);
    const second = (await server.get(`${moving}/changes?since=1&limit=4&cursor=${cursor}`)).body;
    expect([first.to, second.to, second.difference, second.nextCursor]).toEqual([7, 7, null, null]);
    const versions = [...first.items, ...second.items].map(({ version }) => version);
    expect(versions).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('answers 304 until something happens', async () => {
    const quiet = await storage('quiet');
    const { headers } = await server.get(`${quiet}/changes?since=3`);
    const ask = () =>
      server.get(`${quiet}/changes?since=3`, {
        headers: { 'if-none-match': String(headers['etag']) },
      });
    expect((await ask()).status).toBe(304);
    await server.post(`${quiet}/step-outputs`, { stepId: 's', output: 1 });
    expect((await ask()).status).toBe(200);
  });

  it('refuses a cursor of another list', async () => {
    const { body } = await server.get(`${path}/changes?since=1&cursor=nonsense`);
    expect(body.type).toBe('/problems/validation-failed');
  });
});
