import { caughtUp } from './caught-up.js';
import { type Reply, ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.start();
}, 120_000);

afterAll(() => server.stop());

/** The decisions, outputs and preferences in a difference. */
function named(difference: Record<string, readonly Record<string, unknown>[]>) {
  const { decisionsMade = [], decisionsSuperseded = [], preferencesChanged = [] } = difference;
  const { outputsAdded = [], outputsReplaced = [] } = difference;
  return [
    [...decisionsMade, ...decisionsSuperseded].map(({ decisionId }) => decisionId),
    [...outputsAdded, ...outputsReplaced].map(({ stepId }) => stepId),
    preferencesChanged.map(({ key }) => key),
  ];
}

/** Creates a context of seven versions: creation, an output, a decision, then each of them twice. */
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

  it('states the outcome of each item between two versions', async () => {
    const { status, body, headers } = await server.get(`${path}/diff?from=4&to=7`);
    expect([status, headers['etag']]).toEqual([200, '"7"']);
    expect(body).toMatchObject({
      contextId: 'compared',
      from: 4,
      to: 7,
      created: null,
      decisionsMade: [{ decisionId: 'DEC-003', decision: 'PostgreSQL', live: true }],
      decisionsSuperseded: [
        { decisionId: 'DEC-001', before: { live: true }, after: { supersededBy: 'DEC-003' } },
      ],
      decisionsStale: [{ decisionId: 'DEC-002' }],
      outputsAdded: [],
      outputsReplaced: [
        { stepId: 'plan', before: { output: { files: 1 } }, after: { output: { files: 2 } } },
      ],
      preferencesChanged: [{ key: 'tone', after: 'dry' }],
    });
  });

  it('ends at the current version if `to` is omitted, and includes the creation from version 0', async () => {
    const { body } = await server.get(`${path}/diff?from=0`);
    expect(body).toMatchObject({ from: 0, to: 7, created: { status: 'open' } });
    expect(body.decisionsMade).toHaveLength(3);
    expect(body.outputsAdded).toMatchObject([{ stepId: 'plan', output: { files: 2 } }]);
  });

  it('has pages with a number of events, which together equal a single page', async () => {
    const full = (await server.get(`${path}/diff?from=0`)).body;
    expect(full.nextCursor).toBeNull();
    const pages = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { body }: Reply = await server.get(`${path}/diff?from=0&limit=2${cursor}`);
      expect([body.from, body.to]).toEqual([0, 7]);
      pages.push(body);
      cursor = body.nextCursor === null ? undefined : `&cursor=${body.nextCursor}`;
    }
    expect(pages).toHaveLength(4);
    const combined = pages.map(named);
    expect([0, 1, 2].map((part) => combined.flatMap((page) => page[part]).sort())).toEqual(
      named(full).map((part) => [...part].sort()),
    );
  });

  it.each(['nonsense', Buffer.from('["0","9","0","0"]').toString('base64url')])(
    'refuses the cursor %s of another list',
    async (cursor) => {
      const { body } = await server.get(`${path}/diff?from=0&cursor=${cursor}`);
      expect(body.type).toBe('/problems/validation-failed');
    },
  );

  it('accepts times instead of versions', async () => {
    const { body } = await server.get(`${path}/events?limit=50`);
    const at = encodeURIComponent(body.items[4].recordedAt);
    const between = await server.get(`${path}/diff?from=2001-01-01T00:00:00Z&to=${at}`);
    expect(between.body.from).toBe(0);
    expect(between.body.to).toBeGreaterThanOrEqual(5);
  });

  it('is empty between a version and itself', async () => {
    const { body } = await server.get(`${path}/diff?from=5&to=5`);
    const { contextId, from, to, ...parts } = body;
    expect([contextId, from, to]).toEqual(['compared', 5, 5]);
    expect(Object.values(parts).filter((part) => part !== null)).toEqual(
      Object.values(parts).flatMap((part) => (part === null ? [] : [[]])),
    );
  });

  it.each([
    ['diff?from=5&to=4', '/from'],
    ['diff?from=8', '/from'],
    ['diff?from=1&to=99', '/to'],
    ['diff?from=noon', '/from'],
    ['diff?from=2026-01-25', '/from'],
    ['changes?since=99', '/since'],
  ])('refuses %s as an invalid position, with a pointer', async (query, pointer) => {
    const { status, body } = await server.get(`${path}/${query}`);
    expect([status, body.type]).toEqual([422, '/problems/invalid-position']);
    expect(body.errors).toMatchObject([{ pointer }]);
  });

  it('requires `from`', async () => {
    expect((await server.get(`${path}/diff`)).body.errors).toMatchObject([{ pointer: '/from' }]);
  });
});

describe('GET /contexts/{id}/changes', () => {
  let path: string;
  beforeAll(async () => {
    path = await storage('followed');
  });

  it("returns the difference and the events since a reader's version", async () => {
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

  it('has pages of one range, unaffected by later writes', async () => {
    const moving = await storage('moving');
    const first = (await server.get(`${moving}/changes?since=1&limit=4`)).body;
    await server.post(`${moving}/step-outputs`, { stepId: 'late', output: 1 });
    const cursor = encodeURIComponent(first.nextCursor);
    const second = (await server.get(`${moving}/changes?since=1&limit=4&cursor=${cursor}`)).body;
    expect([first.to, second.to, second.nextCursor]).toEqual([7, 7, null]);
    // Each page has the items that its events were the last to change, in their state at the end of the range.
    expect([first, second].map(({ difference }) => named(difference))).toEqual([
      [['DEC-002'], ['plan'], []],
      [['DEC-001', 'DEC-003'], [], ['tone']],
    ]);
    expect([first, second].map(({ difference }) => difference.currentState !== null)).toEqual([
      true,
      false,
    ]);
    const versions = [...first.items, ...second.items].map(({ version }) => version);
    expect(versions).toEqual([2, 3, 4, 5, 6, 7]);
  });

  it('answers 304 until there is a new event', async () => {
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

describe('GET /events/{id}/trace', () => {
  const write = async (path: string, headers: Record<string, string>) => {
    const { body } = await server.post(
      `${path}/step-outputs`,
      { stepId: 's', output: 1 },
      { headers },
    );
    return body.events[0].eventId as string;
  };
  /** Rows across contexts may lag; these tests wait for the final answer. */
  const trace = async (eventId: string, options?: object) => {
    await caughtUp(server);
    const { body, headers } = await server.get(`/v1/events/${eventId}/trace`, options);
    expect(Number(headers['x-projection-lag'])).toBeGreaterThanOrEqual(0);
    return body;
  };

  it('spans contexts, from the first cause to the last effect', async () => {
    const [one, two] = [await server.context('caused'), await server.context('causing')];
    const first = await write(two, {});
    const second = await write(one, { 'causation-id': first, 'correlation-id': 'job-1' });
    const third = await write(two, { 'causation-id': second });
    const beside = await write(one, { 'correlation-id': 'job-1' });
    const { nodes, truncated } = await trace(second);
    expect(truncated).toBe(false);
    expect(
      Object.fromEntries(nodes.map((node: Record<string, unknown>) => [node['eventId'], node])),
    ).toMatchObject({
      [first]: { relation: 'ancestor', contextId: 'causing', causationId: null },
      [second]: {
        relation: 'self',
        contextId: 'caused',
        causationId: first,
        line: 'step s has an output',
      },
      [third]: { relation: 'descendant', causationId: second, type: 'StepOutputAdded' },
      [beside]: { relation: 'correlated', correlationId: 'job-1', principal: 'admin' },
    });
  });

  it('omits events out of reach of the key, and events beyond them', async () => {
    const [open, secret] = [await server.context('open'), await server.context('secret')];
    const first = await write(open, {});
    const hiddenCause = await write(secret, { 'causation-id': first });
    await write(open, { 'causation-id': hiddenCause });
    const key = await server.key({ role: 'auditor', contexts: ['open'] });
    const { nodes } = await trace(first, { key });
    expect(nodes).toMatchObject([{ eventId: first, relation: 'self' }]);
    expect((await server.get(`/v1/events/${hiddenCause}/trace`, { key })).status).toBe(404);
  });

  it('has a bounded number of events', async () => {
    const path = await server.context('prolific');
    const cause = await write(path, {});
    const events = Array.from({ length: 500 }, (_, n) => ({
      type: 'StepOutputAdded',
      data: { stepId: `s-${n}`, output: n },
    }));
    for (let batch = 0; batch < 3; batch++)
      await server.post(`${path}/events`, { events }, { headers: { 'causation-id': cause } });
    const found = await trace(cause);
    expect(found.truncated).toBe(true);
    expect(found.nodes).toHaveLength(1000);
  });

  it.each(['nonsense', '00000000-0000-4000-8000-000000000000'])(
    'does not exist for %s',
    async (id) => {
      const { status, body } = await server.get(`/v1/events/${id}/trace`);
      expect([status, body.type]).toEqual([404, '/problems/not-found']);
    },
  );
});

describe('GET /feed', () => {
  const workspace = { headers: { workspace: 'fed' } };
  let auditor: string;

  beforeAll(async () => {
    auditor = await server.key({ role: 'auditor', workspace: 'fed' });
  });

  const read = async (query: string) =>
    (await server.get(`/v1/feed?${query}`, { key: auditor })).body;

  it('returns each event of the workspace once, in order, page by page', async () => {
    for (const contextId of ['a', 'b']) await server.context(contextId, workspace);
    for (let n = 0; n < 6; n++) {
      const output = { stepId: `s-${n}`, output: n };
      await server.post(`/v1/contexts/${n % 2 ? 'a' : 'b'}/step-outputs`, output, workspace);
      await server.context(`of-another-workspace-${n}`);
    }
    const items = [];
    let cursor = 'start';
    for (let page; page?.items.length !== 0;) {
      page = await read(`limit=3&after=${cursor}`);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(items.map(({ contextId, version }) => `${contextId} ${version}`)).toEqual([
      'a 1',
      'b 1',
      'b 2',
      'a 2',
      'b 3',
      'a 3',
      'b 4',
      'a 4',
    ]);
    expect(items[0]).toMatchObject({ type: 'ContextCreated', unreadable: false });
  });

  it('answers a waiting client as soon as there is an event, but not for other workspaces', async () => {
    const { nextCursor } = await read('after=head');
    const waiting = read(`after=${nextCursor}&wait=30`);
    await server.context('elsewhere');
    await server.context('expected', workspace);
    expect((await waiting).items).toMatchObject([{ contextId: 'expected', version: 1 }]);
  });

  it('advances the cursor over events of others', async () => {
    const { nextCursor } = await read('after=head');
    await server.context('somebody-elses');
    const page = await read(`after=${nextCursor}`);
    expect(page.items).toEqual([]);
    expect(page.nextCursor).not.toBe(nextCursor);
  });

  it.each(['nonsense', '999999999', '-1', '0'])('refuses %s as a position', async (after) => {
    const { status, body } = await server.get(`/v1/feed?after=${after}`);
    expect([status, body.type]).toEqual([422, '/problems/invalid-position']);
  });
});

describe('reads as of a version', () => {
  it('are possible for each part of a context', async () => {
    const path = await storage('dated');
    const at = (part: string) => server.get(`${path}${part}?asOf=3`).then(({ body }) => body);
    expect(await at('')).toMatchObject({ _version: 3, stepOutputs: { plan: { files: 1 } } });
    expect(await at('/step-outputs/plan')).toMatchObject({ output: { files: 1 }, version: 2 });
    expect((await server.get(`${path}/step-outputs/plan?asOf=3&all=true`)).body.items).toHaveLength(
      1,
    );
    expect((await at('/decisions')).items).toMatchObject([{ decisionId: 'DEC-001', live: true }]);
    expect((await at('/artifacts')).items).toEqual([]);
    expect((await at('/events')).items).toHaveLength(3);
  });
});

describe('GET /contexts/{id}/events', () => {
  it('waits for the next event of its context', async () => {
    const path = await server.context('awaited');
    const waiting = server.get(`${path}/events?after=1&wait=30`);
    await server.post(`${path}/step-outputs`, { stepId: 's', output: 1 });
    expect((await waiting).body.items).toMatchObject([{ version: 2 }]);
  });

  it('accepts at most a hundred types', async () => {
    const path = await server.context('typed');
    const types = ['ContextCreated', ...Array.from({ length: 99 }, () => 'StepStarted')];
    const { body } = await server.get(`${path}/events?types=${types.join()}`);
    expect(body.items).toHaveLength(1);
    const refused = await server.get(`${path}/events?types=${[...types, 'StepFailed'].join()}`);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/types']);
  });
});
