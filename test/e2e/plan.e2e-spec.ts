import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

/** The summary of an answer: status, version, types of the events, and the ids. */
function summaryOf({ status, body }: Awaited<ReturnType<ThroughlineServer['post']>>) {
  const { version, events, ...ids } = body;
  delete ids.contextId;
  return { status, version, types: events.map(({ type }: { type: string }) => type), made: ids };
}

describe('the plan of a context', () => {
  it('contains its requirements, risks, dependencies and blockers, each with author and version', async () => {
    const path = await server.context('planned');
    const post = async (route: string, body?: object) =>
      summaryOf(await server.post(`${path}${route}`, body));
    const requirement = { requirementId: 'R-3.2', kind: 'non_functional', text: '10,000 users' };
    expect(await post('/requirements', requirement)).toEqual({
      status: 201,
      version: 2,
      types: ['RequirementRecorded'],
      made: { requirementId: 'R-3.2' },
    });
    const risk = { riskId: 'RISK-001', severity: 'medium', description: 'stale reads' };
    expect(await post('/risks', risk)).toMatchObject({ status: 201, made: { riskId: 'RISK-001' } });
    const update = { status: 'mitigated', mitigation: 'show when it was read' };
    expect(await post('/risks/RISK-001', update)).toMatchObject({
      status: 201,
      types: ['RiskUpdated'],
    });
    await post('/dependencies', { name: 'AWS RDS', kind: 'external' });
    await post('/dependencies', { name: 'user-service', kind: 'internal' });
    const blocker = { blockerId: 'BLK 1/a', description: 'no sandbox' };
    expect(await post('/blockers', blocker)).toMatchObject({ made: { blockerId: 'BLK 1/a' } });
    expect(await post('/blockers/BLK%201%2Fa/clear')).toMatchObject({ types: ['BlockerCleared'] });

    const { body } = await server.get(path);
    const provenance = { agentId: 'admin', timestamp: expect.any(String) };
    expect(body.requirements).toEqual([{ ...requirement, ...provenance, version: 2, revision: 1 }]);
    expect(body.risks).toEqual([
      {
        ...risk,
        ...update,
        ...provenance,
        version: 3,
        updatedBy: 'admin',
        updatedAt: expect.any(String),
      },
    ]);
    expect(body.dependencies).toEqual({
      external: [{ name: 'AWS RDS', kind: 'external', ...provenance, version: 5 }],
      internal: [{ name: 'user-service', kind: 'internal', ...provenance, version: 6 }],
      blockers: [
        {
          ...blocker,
          ...provenance,
          version: 7,
          status: 'cleared',
          clearedBy: 'admin',
          clearedAt: expect.any(String),
        },
      ],
    });
    const earlier = await server.get(`${path}?asOf=3`);
    expect(earlier.body.risks).toMatchObject([{ ...risk, status: 'open' }]);
    expect(earlier.body.dependencies.blockers).toEqual([]);
  });

  it('gets ids if none are sent', async () => {
    const path = await server.context('made');
    const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const requirement = { kind: 'constraint', text: 'no GPL' };
    const answers = [
      await server.post(`${path}/requirements`, requirement),
      await server.post(`${path}/risks`, { severity: 'low', description: 'd' }),
      await server.post(`${path}/blockers`, { description: 'd' }),
    ];
    expect(answers.map((answer) => summaryOf(answer).made)).toEqual([
      { requirementId: uuid },
      { riskId: uuid },
      { blockerId: uuid },
    ]);
    const { body } = await server.post(`${path}/events`, {
      events: [
        { type: 'RequirementRecorded', data: requirement },
        { type: 'RiskUpdated', data: { riskId: answers[1]?.body.riskId, status: 'accepted' } },
      ],
    });
    expect(body.events).toMatchObject([{ requirementId: uuid }, { type: 'RiskUpdated' }]);
  });

  it('accepts an initial status of a risk, on each route', async () => {
    const path = await server.context('with-a-status');
    const risk = { severity: 'low', description: 'stale reads', status: 'mitigated' };
    const types = ['RiskRaised', 'RiskUpdated'];
    const first = { riskId: 'one', ...risk };
    expect(summaryOf(await server.post(`${path}/risks`, first))).toEqual({
      status: 201,
      version: 3,
      types,
      made: { riskId: 'one' },
    });
    expect((await server.post(`${path}/risks`, first)).body.events).toEqual([]);
    const events = [{ type: 'RiskRaised', data: { riskId: 'two', ...risk, status: 'open' } }];
    expect(summaryOf(await server.post(`${path}/events`, { events })).types).toEqual([
      'RiskRaised',
    ]);
    const body = { risks: [{ riskId: 'three', ...risk, status: 'accepted' }], _version: 4 };
    expect(summaryOf(await server.call('PUT', path, { body })).types).toEqual(types);
    const { body: document } = await server.get(path);
    expect(document.risks).toMatchObject([
      { riskId: 'one', status: 'mitigated', updatedBy: 'admin' },
      { riskId: 'two', status: 'open' },
      { riskId: 'three', status: 'accepted' },
    ]);
    const conflict = await server.post(`${path}/risks`, { ...first, status: 'closed' });
    expect([conflict.status, conflict.body.errors[0].pointer]).toEqual([422, '/status']);
  });

  it('adds no event if an entry is repeated', async () => {
    const path = await server.context('again');
    const calls = [
      ['/requirements', { requirementId: 'R', kind: 'functional', text: 't' }],
      ['/risks', { riskId: 'K', severity: 'high', description: 'd' }],
      ['/risks/K', { status: 'closed' }],
      ['/dependencies', { name: 'Redis', kind: 'external' }],
      ['/blockers', { blockerId: 'B', description: 'd' }],
      ['/blockers/B/clear', { note: 'n' }],
    ] as const;
    for (const [route, body] of calls)
      expect((await server.post(`${path}${route}`, body)).status).toBe(201);
    for (const [route, body] of calls)
      expect(summaryOf(await server.post(`${path}${route}`, body))).toMatchObject({
        status: 200,
        version: 7,
        types: [],
      });
  });

  it.each([
    ['/risks/unknown', { status: 'closed' }, 404, undefined],
    ['/blockers/unknown/clear', {}, 404, undefined],
    ['/risks', { riskId: 'K', severity: 'low', description: 'else' }, 422, '/riskId'],
    ['/blockers', { blockerId: 'B', description: 'else' }, 422, '/blockerId'],
    ['/risks', { riskId: 'L', severity: 'grave', description: 'd' }, 422, '/severity'],
    ['/risks/K', { status: 'gone' }, 422, '/status'],
    ['/risks/K', { riskId: 'L', status: 'closed' }, 422, '/riskId'],
    ['/requirements', { kind: 'wish', text: 't' }, 422, '/kind'],
    ['/requirements', { kind: 'functional', text: '' }, 422, '/text'],
    ['/dependencies', { name: 'Redis', kind: 'both' }, 422, '/kind'],
    ['/dependencies', { name: 'a\u0000', kind: 'external' }, 422, '/name'],
    ['/blockers', { blockerId: 'C', description: 'd', since: 1 }, 422, '/since'],
  ])('refuses %s of %j', async (route, body, status, pointer) => {
    const path = await server.context('refusing');
    await server.post(`${path}/risks`, { riskId: 'K', severity: 'low', description: 'd' });
    await server.post(`${path}/blockers`, { blockerId: 'B', description: 'd' });
    const answer = await server.post(`${path}${route}`, body);
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([status, pointer]);
  });

  it('can be written with the whole document, with one event for each change', async () => {
    const path = await server.context('written');
    await server.post(`${path}/risks`, { riskId: 'K', severity: 'low', description: 'd' });
    const { body: document, headers } = await server.get(path);
    const edited = {
      ...document,
      risks: [{ ...document.risks[0], status: 'accepted' }],
      requirements: [{ kind: 'functional', text: 'log in' }],
      dependencies: { ...document.dependencies, internal: [{ name: 'user-service' }] },
      reviewHistory: [{ artifact: 'a.md', status: 'BLOCKED', keyIssues: [{ text: 'i' }] }],
      records: [{ kind: 'custom', body: 'b' }],
    };
    const put = (body: object) =>
      server.call('PUT', path, { body, headers: { 'if-match': String(headers['etag']) } });
    const refused = await put({ ...edited, openIssues: [{ issueId: 'i' }] });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/openIssues/0']);
    const written = await put(edited);
    expect(written.status).toBe(201);
    expect(written.body.events.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'DependencyDeclared',
      'RecordAppended',
      'RequirementRecorded',
      'ReviewRecorded',
      'RiskUpdated',
    ]);
    const { body } = await server.get(path);
    expect(body.risks).toMatchObject([{ riskId: 'K', status: 'accepted' }]);
    expect(body.dependencies.internal).toMatchObject([{ name: 'user-service', kind: 'internal' }]);
    expect(body.openIssues).toMatchObject([{ text: 'i', severity: 'medium' }]);
  });

  it('has its new and changed entries in a difference', async () => {
    const path = await server.context('compared');
    await server.post(`${path}/risks`, { riskId: 'K', severity: 'low', description: 'd' });
    await server.post(`${path}/risks/K`, { status: 'occurred' });
    const { body } = await server.get(`${path}/diff?from=2&to=3`);
    expect(body.entriesChanged).toMatchObject([
      { part: 'risks', key: 'K', before: { status: 'open' }, after: { status: 'occurred' } },
    ]);
  });
});
