import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const rejection = {
  reviewId: 'REV-1',
  artifact: 'design/l1_architecture.md',
  iteration: 1,
  participants: ['Winston (Architect)', 'Murat (Test Architect)'],
  status: 'REJECTED_WITH_FEEDBACK',
  keyIssues: [
    { severity: 'critical', text: 'one database does not scale' },
    { issueId: 'CACHE', text: 'no caching strategy' },
  ],
  reviewFile: 'review/review_l1_ba_iter1.json',
};

const approval = {
  reviewId: 'REV-2',
  artifact: 'design/l1_architecture.md',
  iteration: 2,
  status: 'APPROVED',
  keyIssues: [],
  addresses: ['REV-1.1'],
};

/** The open issues of a context by id, and whether they block. */
async function openIssues(path: string): Promise<[string, boolean][]> {
  const { body } = await server.get(path);
  return body.openIssues.map(({ issueId, blocking }: { issueId: string; blocking: boolean }) => [
    issueId,
    blocking,
  ]);
}

describe('a reviewer with a narrow audience', () => {
  const keyOfReviewer = (agentId: string) =>
    server.key({ role: 'agent', agentId, audiences: ['reviewer'] });

  it('reads its own review and its issues, and closes them with a second review', async () => {
    const path = await server.context('second-round');
    const key = await keyOfReviewer('ada');
    const issue = { severity: 'high', text: 'one database does not scale' };
    const first = { reviewId: 'r1', artifact: 'l1.md', status: 'REJECTED_WITH_FEEDBACK' };
    await server.post(`${path}/reviews`, { ...first, keyIssues: [issue] }, { key });
    const { body } = await server.get(path, { key });
    expect(body.reviewHistory).toMatchObject([{ reviewId: 'r1', reviewer: 'ada' }]);
    expect(body.openIssues).toMatchObject([{ issueId: 'r1.1', blocking: true }]);
    const found = async (as: object) => {
      const { findings } = (await server.get(`${path}/check`, as)).body;
      return findings.map(({ code, ref }: { code: string; ref: string }) => `${code} ${ref}`);
    };
    const unaddressed = ['issue-unaddressed issue:r1.1'];
    expect(await found({ key })).toEqual(expect.arrayContaining(unaddressed));
    const { text } = (await server.get(`${path}/view`, { key })).body;
    expect(text).toContain('open issue `issue:r1.1`');
    const addresses = [body.openIssues[0].issueId];
    const second = { reviewId: 'r2', artifact: 'l1.md', status: 'APPROVED', addresses };
    expect((await server.post(`${path}/reviews`, second, { key })).status).toBe(201);
    for (const as of [{ key }, {}])
      expect(await found(as)).not.toEqual(expect.arrayContaining(unaddressed));
    expect((await server.get(path, { key })).body.openIssues).toEqual([]);
  });

  it('does not read reviews of others, even if an agent has the name of the audience', async () => {
    const path = await server.context('others-reviews');
    const key = await keyOfReviewer('ada');
    const before = await server.get(path, { key });
    for (const agentId of ['reviewer', 'bob']) {
      const review = { artifact: 'l1.md', status: 'BLOCKED', keyIssues: [{ text: 'theirs' }] };
      const other = await keyOfReviewer(agentId);
      const { status } = await server.post(`${path}/reviews`, review, { key: other });
      expect(status).toBe(201);
    }
    const after = await server.get(path, { key });
    expect({ ...after.body, _version: 0 }).toEqual({ ...before.body, _version: 0 });
    for (const route of ['/events', '/changes?since=1', '/view', '/check'])
      expect((await server.get(`${path}${route}`, { key })).text).not.toContain('theirs');
    const foreignIssue = { artifact: 'l1.md', status: 'APPROVED', addresses: ['theirs.1'] };
    expect((await server.post(`${path}/reviews`, foreignIssue, { key })).status).toBe(422);
  });
});

describe('a key that may act for a reviewer', () => {
  const issue = 'open issue `issue:r1.1`';
  const keyOfNarrowAgent = (agentId: string, actsFor: readonly string[] = []) =>
    server.key({ role: 'agent', agentId, audiences: ['reviewer'], actsFor });

  let path: string;
  let keys: Readonly<{ reviewer: string; orchestrator: string; liar: string; anybody: string }>;
  beforeAll(async () => {
    path = await server.context('read-for-a-reviewer');
    keys = {
      reviewer: await keyOfNarrowAgent('rita'),
      orchestrator: await keyOfNarrowAgent('orchestrator', ['rita']),
      liar: await keyOfNarrowAgent('liar', ['somebody']),
      anybody: await keyOfNarrowAgent('anybody', ['*']),
    };
    const template = 'Review again.\n{{view}}';
    const body = { name: 'Rita', role: 'reviewer', kind: 'llm', template };
    expect((await server.call('PUT', '/v1/agents/rita', { body })).status).toBe(201);
    const rejected = { artifact: 'l1.md', status: 'REJECTED_WITH_FEEDBACK' };
    const theirs = [{ severity: 'high', text: 'no index' }];
    await server.post(
      `${path}/reviews`,
      { reviewId: 'r1', ...rejected, keyIssues: theirs },
      { key: keys.reviewer },
    );
    const byAdmin = { reviewId: 'r2', ...rejected, keyIssues: [{ text: 'of a person' }] };
    expect((await server.post(`${path}/reviews`, byAdmin)).status).toBe(201);
  });

  const view = (key: string | undefined, query = '?audience=reviewer&agent=rita') =>
    server.get(`${path}/view${query}`, key === undefined ? {} : { key });
  const prompt = (key: string | undefined) =>
    server.post(
      `${path}/prompt`,
      { agent: 'rita', audience: 'reviewer' },
      key === undefined ? {} : { key },
    );

  it('reads for the reviewer exactly the same bytes as the reviewer', async () => {
    const ownView = await view(keys.reviewer, '');
    const ownPrompt = await prompt(keys.reviewer);
    expect(ownView.body.text).toContain(issue);
    expect(ownPrompt.body.text).toContain(issue);
    for (const key of [undefined, keys.orchestrator, keys.anybody]) {
      const [viewed, prompted] = [await view(key), await prompt(key)];
      expect(viewed.body.text).toBe(ownView.body.text);
      expect(viewed.headers['etag']).toBe(ownView.headers['etag']);
      expect(prompted.body.text).toBe(ownPrompt.body.text);
      const ref = encodeURIComponent('issue:r1.1');
      const item = `${path}/items/${ref}?audience=reviewer&agent=rita`;
      expect(await server.get(item, key === undefined ? {} : { key })).toMatchObject({
        status: 200,
        body: { value: { text: 'no index' } },
      });
    }
    expect((await view(undefined, '?audience=reviewer')).body.text).not.toContain(issue);
  });

  it('gets the same texts again by their receipts, and cites them', async () => {
    for (const key of [undefined, keys.orchestrator])
      for (const { body } of [await view(key), await prompt(key)]) {
        const as = key === undefined ? {} : { key };
        const { status, body: shown } = await server.get(`/v1/receipts/${body.receipt}`, as);
        expect([status, shown.text]).toEqual([200, body.text]);
        const record = { kind: 'dev-record', body: 'read' };
        const headers = { 'based-on': body.receipt };
        const cited = await server.post(`${path}/records`, record, { ...as, headers });
        expect(cited.status).toBe(201);
      }
  });

  it('reads as itself if it may not act for the agent', async () => {
    const ownView = await view(keys.liar, '');
    for (const answer of [await view(keys.liar), await prompt(keys.liar)]) {
      expect(answer.status).toBe(200);
      expect(answer.body.text).not.toContain('r1');
      const ownReceipt = await server.get(`/v1/receipts/${answer.body.receipt}`, {
        key: keys.liar,
      });
      expect(ownReceipt.status).toBe(200);
    }
    expect((await view(keys.liar)).body.text).toBe(ownView.body.text);
    const item = `${path}/items/${encodeURIComponent('issue:r1.1')}?agent=rita`;
    expect((await server.get(item, { key: keys.liar })).status).toBe(404);
    for (const { body } of [await view(keys.orchestrator), await prompt(keys.reviewer)])
      expect((await server.get(`/v1/receipts/${body.receipt}`, { key: keys.liar })).status).toBe(
        404,
      );
  });

  it('cannot be mistaken for a person', async () => {
    for (const name of ['admin', 'key:1']) {
      const { status } = await view(keys.anybody, `?audience=reviewer&agent=${name}`);
      expect([name, status]).toEqual([name, 422]);
    }
  });
});

describe('reviews', () => {
  it('cannot be written in the name of an agent for which the key may not act, on any route', async () => {
    const path = await server.context('forged');
    const key = await server.key({ role: 'agent', agentId: 'sdd-coder' });
    const forged = { artifact: 'design/l1.md', status: 'APPROVED', reviewer: 'sdd-ba' };
    const writes = (reviewer: string) => {
      const review = { ...forged, reviewer };
      return [
        server.post(`${path}/reviews`, review, { key }),
        server.post(
          `${path}/events`,
          { events: [{ type: 'ReviewRecorded', data: review }] },
          { key },
        ),
        server.call('PUT', path, {
          key,
          body: { reviewHistory: [review] },
          headers: { 'If-Match': '"1"' },
        }),
      ];
    };
    for (const answer of await Promise.all(writes('sdd-ba')))
      expect([answer.status, answer.body.type]).toEqual([403, '/problems/forbidden']);
    for (const answer of await Promise.all(writes('\u0430dmin')))
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([
        422,
        expect.stringMatching(/\/reviewer$/),
      ]);
    expect((await server.get(path)).body).toMatchObject({ _version: 1, reviewHistory: [] });
  });

  it('leave their issues open until a later review addresses them', async () => {
    const path = await server.context('reviewed');
    const key = await server.key({
      role: 'agent',
      agentId: 'sdd-ba',
      actsFor: ['lead-architect'],
    });
    const { status, body } = await server.post(`${path}/reviews`, rejection, { key });
    expect(status).toBe(201);
    expect(body).toMatchObject({ version: 2, reviewId: 'REV-1' });
    expect(body.events).toMatchObject([{ type: 'ReviewRecorded', version: 2 }]);
    expect(await openIssues(path)).toEqual([
      ['REV-1.1', true],
      ['CACHE', false],
    ]);
    await server.post(`${path}/reviews`, { ...approval, reviewer: 'lead-architect' }, { key });
    expect(await openIssues(path)).toEqual([['CACHE', false]]);
    const { body: document } = await server.get(path);
    const by = { agentId: 'sdd-ba', timestamp: expect.any(String) };
    expect(document.reviewHistory).toEqual([
      {
        ...rejection,
        keyIssues: [
          { issueId: 'REV-1.1', severity: 'critical', text: 'one database does not scale' },
          { issueId: 'CACHE', severity: 'medium', text: 'no caching strategy' },
        ],
        reviewer: 'sdd-ba',
        ...by,
        version: 2,
      },
      { ...approval, reviewer: 'lead-architect', ...by, version: 3 },
    ]);
    const earlier = await server.get(`${path}?asOf=2`);
    expect(earlier.body.openIssues).toHaveLength(2);
    expect(earlier.body.openIssues[0]).toMatchObject({ reviewId: 'REV-1', status: 'open' });
  });

  it('show the progress over iterations, and whether all feedback was addressed', async () => {
    const path = await server.context('feature-001-auth');
    const key = await server.key({ role: 'agent', agentId: 'sdd-ba' });
    const artifact = 'design/l1_architecture.md';
    const first = {
      artifact,
      iteration: 1,
      status: 'REJECTED_WITH_FEEDBACK',
      keyIssues: [{ text: "Monolithic DB doesn't scale" }, { text: 'Missing caching strategy' }],
      reviewFile: 'review/review_l1_ba_iter1.json',
    };
    const { body } = await server.post(`${path}/reviews`, first, { key });
    const raised = await openIssues(path);
    expect(raised).toEqual([
      [`${body.reviewId}.1`, false],
      [`${body.reviewId}.2`, false],
    ]);
    const addresses = raised.map(([issueId]) => issueId);
    const second = { artifact, iteration: 2, status: 'APPROVED', keyIssues: [], addresses };
    await server.post(`${path}/reviews`, second, { key });
    expect(await openIssues(path)).toEqual([]);
    const { reviewHistory } = (await server.get(path)).body;
    expect(reviewHistory).toMatchObject([
      { artifact, iteration: 1, reviewer: 'sdd-ba', status: 'REJECTED_WITH_FEEDBACK' },
      { artifact, iteration: 2, reviewer: 'sdd-ba', status: 'APPROVED', keyIssues: [] },
    ]);
    const diff = await server.get(`${path}/diff?from=2&to=3`);
    expect(diff.body.entriesChanged).toMatchObject([
      { part: 'openIssues', key: addresses[0], after: { status: 'addressed' } },
      { part: 'openIssues', key: addresses[1], after: { status: 'addressed' } },
      { part: 'reviewHistory', before: null, after: { status: 'APPROVED' } },
    ]);
  });

  it('get an id if none is sent, and add no event if they are repeated', async () => {
    const path = await server.context('again');
    const { body } = await server.post(`${path}/reviews`, { artifact: 'a.md', status: 'BLOCKED' });
    expect(body.reviewId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    await server.post(`${path}/reviews`, rejection);
    const again = await server.post(`${path}/reviews`, rejection);
    expect([again.status, again.body.version, again.body.events]).toEqual([200, 3, []]);
    const other = await server.post(`${path}/reviews`, { ...rejection, iteration: 2 });
    expect([other.status, other.body.errors[0].pointer]).toEqual([422, '/reviewId']);
  });

  it.each([
    [{ status: 'REJECTED' }, '/status'],
    [{ artifact: '' }, '/artifact'],
    [{ iteration: 0 }, '/iteration'],
    [{ reviewer: 'admin' }, '/reviewer'],
    [{ keyIssues: ['one database does not scale'] }, '/keyIssues/0'],
    [{ keyIssues: [{ text: 't', severity: 'grave' }] }, '/keyIssues/0/severity'],
    [{ keyIssues: [{ text: 'a' }, { issueId: 'REV-7.1', text: 'b' }] }, '/keyIssues/1/issueId'],
    [{ addresses: ['REV-9.9'] }, '/addresses/0'],
    [{ verdict: 'fine' }, '/verdict'],
  ])('with %j are refused with a pointer', async (more, pointer) => {
    const path = await server.context('refusing');
    const review = { reviewId: 'REV-7', artifact: 'a.md', status: 'APPROVED', ...more };
    const { status, body } = await server.post(`${path}/reviews`, review);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
    expect((await server.get(path)).body._version).toBe(1);
  });

  it('of one batch may address issues of earlier ones', async () => {
    const path = await server.context('batched');
    const events = [rejection, approval].map((data) => ({ type: 'ReviewRecorded', data }));
    const { status, body } = await server.post(`${path}/events`, { events });
    expect(status).toBe(201);
    expect(body.events).toMatchObject([{ reviewId: 'REV-1' }, { reviewId: 'REV-2' }]);
    const alone = await server.context('alone');
    const refused = await server.post(`${alone}/events`, { events: [events[1]] });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([
      422,
      '/events/0/data/addresses/0',
    ]);
  });

  it('are restored and forked together with their issues', async () => {
    const path = await server.context('restored');
    await server.post(`${path}/reviews`, rejection);
    await server.post(`${path}/reviews`, approval);
    await server.post(`${path}/forks`, { atVersion: 2, contextId: 'forked' });
    expect(await openIssues('/v1/contexts/forked')).toEqual([
      ['REV-1.1', true],
      ['CACHE', false],
    ]);
    const { body } = await server.get('/v1/contexts/forked');
    expect(body.reviewHistory).toMatchObject([{ reviewId: 'REV-1', version: 1 }]);
    expect(body.openIssues[0]).toMatchObject({ version: 1 });
    await server.post(`${path}/restore`, { version: 2 });
    expect(await openIssues(path)).toHaveLength(2);
    const again = await server.post(`${path}/reviews`, approval);
    expect(again.status).toBe(201);
    expect(await openIssues(path)).toEqual([['CACHE', false]]);
  });
});
