import { currentAnswer } from './caught-up.js';
import { proveHttpPage } from './docs/http-page.js';
import { ThroughlineServer } from './throughline-server.js';

/** Every text of the context that is hidden from reviewers contains this word; no other text does. */
const secret = 'quagmire';

const seen = [
  { type: 'GlobalContextSet', data: { values: { constraints: ['no GPL'] } } },
  {
    type: 'RequirementRecorded',
    data: { requirementId: 'R-1', kind: 'functional', text: 'sign in' },
  },
  {
    type: 'ArtifactReferenced',
    data: { artifactId: 'code', artifactType: 'source', path: 'src/a.ts' },
  },
];
const hiddenEvents = [
  { type: 'StepStarted', data: { stepId: `step-${secret}` } },
  { type: 'StepFailed', data: { stepId: 'build', reason: `${secret} in the build` } },
  { type: 'StepOutputAdded', data: { stepId: 'build', name: secret, output: { notes: secret } } },
  {
    type: 'ArtifactReferenced',
    data: { artifactId: secret, artifactType: 'log', path: 'a' },
    visibility: 'working',
  },
  { type: 'GlobalContextSet', data: { values: { [secret]: true } }, visibility: 'working' },
  { type: 'RiskRaised', data: { riskId: 'r', severity: 'low', description: secret } },
];
const first = { decisionId: 'DEC-001', topic: 'store', decision: 'files', rationale: 'small' };
const decisions = [
  { type: 'DecisionRecorded', data: { ...first, decision: `files, after much ${secret}` } },
  {
    type: 'DecisionRecorded',
    data: {
      decisionId: 'DEC-002',
      topic: 'store',
      decision: 'PostgreSQL',
      supersedes: 'DEC-001',
      rationale: 'it is there',
      alternativesConsidered: [`${secret} with files`],
    },
  },
];

let server: ThroughlineServer;
let reviewer: string;
beforeAll(async () => {
  server = await ThroughlineServer.shared();
  reviewer = await server.key({ role: 'agent', agentId: 'rev', audiences: ['reviewer'] });
  await server.post('/v1/contexts', { contextId: 'c', title: 'Sign in' });
  // The events of one write become visible together: the second decision is a separate write, so that there is a
  // version before it.
  for (const events of [[...seen, ...hiddenEvents, ...decisions.slice(0, 1)], decisions.slice(1)])
    expect((await server.post('/v1/contexts/c/events', { events })).status).toBe(201);
}, 120_000);
afterAll(() => server.stop());

const asReviewer = (path: string) => server.get(path, { key: reviewer });

describe('an agent whose key is bound to the audience reviewer', () => {
  it('reads the spec, requirements, artifacts and live decisions with their rationale', async () => {
    const { status, body, headers } = await asReviewer('/v1/contexts/c');
    expect(status).toBe(200);
    expect(headers['etag']).toMatch(/^"\d+-[0-9a-f]{16}"$/);
    expect(body).toMatchObject({
      title: 'Sign in',
      globalContext: { constraints: ['no GPL'] },
      requirements: [{ requirementId: 'R-1' }],
      artifactReferences: [{ artifactId: 'code' }],
      stepOutputs: {},
      agents: {},
      risks: [],
      _version: 12,
    });
    expect(body.decisionHistory).toHaveLength(1);
    expect(body.decisionHistory[0]).toMatchObject({
      decision: 'PostgreSQL',
      rationale: 'it is there',
    });
  });

  it('finds no hidden word on any path that reads a context', async () => {
    const { body: api } = await server.get('/openapi.json');
    const paths: string[] = Object.keys(api.paths).filter((path) => api.paths[path].get);
    const reading = paths.filter((path) => path.includes('{contextId}'));
    expect(reading.length).toBeGreaterThan(8);
    const values: Record<string, string> = {
      contextId: 'c',
      stepId: 'build',
      decisionId: 'DEC-001',
    };
    const queries = [
      '',
      '?since=0',
      '?from=0',
      '?from=5&to=12',
      '?all=true',
      '?types=StepFailed',
      '?asOf=11',
    ];
    for (const path of [...reading, '/v1/contexts', '/v1/events/x/trace'])
      for (const query of [...queries, '?format=events-jsonl']) {
        const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x') + query;
        const { status, text, body } = await asReviewer(url);
        // A refusal quotes the requested name.
        if (status === 200) expect([url, text]).toEqual([url, expect.not.stringContaining(secret)]);
        else expect(body.type).toMatch(/^\/problems\//);
      }
    expect((await server.get('/v1/contexts/c')).text).toContain(secret);
  });

  it('lists its visible events as stored, without hashes, positions and receipts', async () => {
    const { body } = await asReviewer('/v1/contexts/c/events');
    expect(body.items.map(({ type, version }: StoredEvent) => `${version} ${type}`)).toEqual([
      '1 ContextCreated',
      '2 GlobalContextSet',
      '3 RequirementRecorded',
      '4 ArtifactReferenced',
      '12 DecisionRecorded',
    ]);
    for (const item of body.items)
      for (const name of ['hash', 'previousHash', 'position', 'basedOn'])
        expect(item).not.toHaveProperty(name);
    expect(body.items.at(-1).data).not.toHaveProperty('alternativesConsidered');
    const paged = await asReviewer('/v1/contexts/c/events?limit=2&after=3');
    expect(paged.body).toMatchObject({
      items: [{ version: 4 }, { version: 12 }],
      nextCursor: null,
    });
  });

  it('receives only visible events in the answer to a failed condition', async () => {
    const headers = { 'if-match': '"3"' };
    const artifact = { artifactId: 'review', artifactType: 'notes', path: 'r.md' };
    const { status, body } = await server.post('/v1/contexts/c/artifacts', artifact, {
      key: reviewer,
      headers,
    });
    expect([status, body.currentVersion, body.missedTruncated]).toEqual([412, 12, false]);
    expect(body.missed.map(({ version }: StoredEvent) => version)).toEqual([4, 12]);
  });

  it('writes whole documents on the basis of its visible content', async () => {
    await server.context('put');
    await server.post('/v1/contexts/put/events', { events: hiddenEvents });
    const { body } = await asReviewer('/v1/contexts/put');
    const put = await server.call('PUT', '/v1/contexts/put', {
      key: reviewer,
      body: { ...body, userPreferences: { tone: 'dry' } },
      headers: { 'if-match': `"${body._version}"` },
    });
    expect([put.status, put.body.events]).toMatchObject([201, [{ type: 'PreferencesSet' }]]);
    const document = await server.get('/v1/contexts/put');
    expect(document.body).toMatchObject({
      userPreferences: { tone: 'dry' },
      stepOutputs: { build: {} },
    });
  });

  it('may not read for another audience, nor without a filter', async () => {
    for (const audience of ['all', 'developer', 'nobody']) {
      const refused = await asReviewer(`/v1/contexts/c?audience=${audience}`);
      expect([refused.status, refused.body.type]).toEqual([404, '/problems/not-found']);
    }
    for (const path of ['/export?format=events-jsonl', '/verify'])
      expect((await asReviewer(`/v1/contexts/c${path}`)).status).toBe(404);
    expect((await asReviewer('/v1/contexts/absent?audience=all')).body.type).toBe(
      '/problems/context-not-found',
    );
  });

  it('finds contexts in lists by fields that every audience sees, and by no others', async () => {
    const { body } = await asReviewer('/v1/contexts?status=open');
    const listed = body.items.find(({ contextId }: { contextId: string }) => contextId === 'c');
    expect(listed).toMatchObject({
      title: 'Sign in',
      updatedBy: null,
      activeAgent: null,
      bytes: null,
    });
    for (const filter of ['agent=admin', 'updatedSince=2020-01-01T00:00:00Z'])
      expect((await asReviewer(`/v1/contexts?${filter}`)).status).toBe(422);
  });
});

describe('audiences', () => {
  it('show a failure analyst the failed step only', async () => {
    const { body } = await server.get('/v1/contexts/c?audience=failure-analyst');
    expect(Object.keys(body.stepOutputs)).toEqual(['build']);
    expect(body).toMatchObject({ decisionHistory: [], artifactReferences: [] });
  });

  it('show a retrospective all events except working notes', async () => {
    const { body } = await server.get('/v1/contexts/c?audience=retrospective');
    expect(body.globalContext).toEqual({ constraints: ['no GPL'] });
    expect(body.artifactReferences).toMatchObject([{ artifactId: 'code' }]);
    expect(body.decisionHistory).toHaveLength(2);
    expect(body.risks).toHaveLength(1);
  });

  it('show a developer decisions with their alternatives, and the plan', async () => {
    const { body } = await server.get('/v1/contexts/c?audience=developer');
    expect(body.decisionHistory).toHaveLength(2);
    expect(body.decisionHistory[1]).toHaveProperty('alternativesConsidered');
    expect(body).toMatchObject({ stepOutputs: {}, risks: [{ riskId: 'r' }] });
  });

  it('have separate ETags for conditional reads', async () => {
    const { headers } = await asReviewer('/v1/contexts/c');
    const conditional = { key: reviewer, headers: { 'if-none-match': String(headers['etag']) } };
    expect((await server.get('/v1/contexts/c', conditional)).status).toBe(304);
    const other = { headers: { 'if-none-match': String(headers['etag']) } };
    expect((await server.get('/v1/contexts/c', other)).status).toBe(200);
  });

  it('can be defined by a policy exactly as the API returned it', async () => {
    const path = '/v1/policies/copied';
    const policy = { show: [{ types: ['DecisionRecorded'] }], decisions: 'live' };
    const { body: storedPolicy } = await server.call('PUT', path, { body: policy });
    const { body: read } = await server.get(path);
    const again = await server.call('PUT', path, { body: read });
    expect([again.status, again.body]).toEqual([200, storedPolicy]);
    const elsewhere = await server.call('PUT', '/v1/policies/others', { body: read });
    expect([elsewhere.status, elsewhere.body.errors]).toEqual([
      422,
      [{ pointer: '/audience', detail: expect.stringContaining('omit it') }],
    ]);
    const { body: builtIn } = await server.get('/v1/policies/developer');
    const replaced = await server.call('PUT', '/v1/policies/developer', { body: builtIn });
    expect(replaced.body).toEqual({ ...builtIn, version: 1, builtIn: false });
  });

  it('are defined by policies that apply from the next read on, and each version of a policy is stored', async () => {
    const path = '/v1/policies/artists';
    expect((await server.get(path)).status).toBe(404);
    expect((await server.get('/v1/contexts/c?audience=artists')).body.errors).toMatchObject([
      { pointer: '/audience' },
    ]);
    const policy = { show: [{ types: ['ArtifactReferenced'], visibility: ['record', 'working'] }] };
    const put = await server.call('PUT', path, { body: policy });
    expect([put.status, put.body]).toEqual([
      200,
      { audience: 'artists', version: 1, builtIn: false, ...policy },
    ]);
    const artists = await server.get('/v1/contexts/c?audience=artists');
    expect(artists.body.artifactReferences).toHaveLength(2);
    expect((await server.call('PUT', path, { body: policy })).body.version).toBe(1);
    const narrower = { show: [{ types: ['ArtifactReferenced'] }] };
    expect((await server.call('PUT', path, { body: narrower })).body.version).toBe(2);
    const current = await server.get('/v1/contexts/c?audience=artists');
    expect(current.body.artifactReferences).toHaveLength(1);
    expect(current.headers['etag']).not.toBe(artists.headers['etag']);
  });

  it('are listed with their policies and the effect of these on each type of events', async () => {
    const workspace = server.workspaceNamed('listed');
    const headers = { workspace };
    const get = (query: string) => server.get(`/v1/policies${query}`, { headers });
    const policy = { show: [{ types: ['RiskRaised'], authors: ['ada'] }] };
    await server.call('PUT', '/v1/policies/medics', { body: policy, headers });
    const { status, body } = await get('');
    expect(status).toBe(200);
    expect(body.items.map(({ audience }: { audience: string }) => audience)).toEqual([
      'all',
      'developer',
      'failure-analyst',
      'medics',
      'retrospective',
      'reviewer',
    ]);
    const [all, , , medics, , forReviewers] = body.items;
    const { events, ...view } = medics;
    expect(view).toEqual({ audience: 'medics', version: 1, builtIn: false, ...policy });
    const isRisk = ({ type }: { type: string }) => type === 'RiskRaised';
    const risk = { type: 'RiskRaised', withheld: [] };
    expect(events.find(isRisk)).toEqual({ ...risk, record: 'some', working: 'none' });
    expect(all.events.find(isRisk)).toEqual({ ...risk, record: 'all', working: 'all' });
    expect(forReviewers.events).toContainEqual({
      type: 'DecisionRecorded',
      record: 'some',
      working: 'none',
      withheld: ['alternativesConsidered'],
    });
    const first = await get('?limit=4');
    expect(first.body.items).toEqual(body.items.slice(0, 4));
    const second = await get(`?limit=4&cursor=${first.body.nextCursor}`);
    expect(second.body).toEqual({ items: body.items.slice(4), nextCursor: null });
    expect((await server.get('/v1/policies', { key: reviewer })).status).toBe(403);
  });

  it('are refused if a policy contains an unknown name or defines the audience all', async () => {
    const putPolicy = (audience: string, body: unknown) =>
      server.call('PUT', `/v1/policies/${audience}`, { body });
    const misspelled = await putPolicy('x', { show: [{ types: ['ArtefactReferenced'] }] });
    expect([misspelled.status, misspelled.body.errors]).toMatchObject([
      422,
      [{ pointer: '/show/0/types/0' }],
    ]);
    expect((await putPolicy('all', { show: [{ types: ['*'] }] })).status).toBe(422);
    expect((await putPolicy('x', { show: [] })).body.errors).toMatchObject([{ pointer: '/show' }]);
    const { body } = await server.get('/v1/policies/reviewer');
    expect(body).toMatchObject({
      audience: 'reviewer',
      version: 0,
      builtIn: true,
      decisions: 'live',
    });
  });
});

describe('content that is hidden from a reviewer', () => {
  const fail = (label: string) => ({ type: 'StepFailed', data: { stepId: label, reason: secret } });
  const asReviewerPosts = (path: string, body: unknown) =>
    server.post(path, body, { key: reviewer });

  it('is not revealed by an attempt to supersede a hidden decision', async () => {
    const path = await server.context('supersede');
    const hidden = { topic: secret, decision: secret, visibility: 'working' };
    const { decisionId } = (await server.post(`${path}/decisions`, hidden)).body;
    for (const stated of [{}, { topic: 'another' }]) {
      const body = { ...stated, decision: 'mine', rationale: 'r', supersedes: decisionId };
      const refused = await asReviewerPosts(`${path}/decisions`, body);
      expect([refused.status, refused.text]).toEqual([422, expect.not.stringContaining(secret)]);
      const event = { type: 'DecisionRecorded', data: body };
      const batch = await asReviewerPosts(`${path}/events`, { events: [event] });
      expect([batch.status, batch.text]).toEqual([422, expect.not.stringContaining(secret)]);
    }
    const own = { decisionId: 'mine-1', decision: 'a', topic: 'own' };
    const next = { decision: 'b', supersedes: 'mine-1' };
    const events = [own, next].map((data) => ({ type: 'DecisionRecorded', data }));
    expect((await asReviewerPosts(`${path}/events`, { events })).status).toBe(201);
  });

  it('stays hidden in past versions, differences and changes', async () => {
    for (const query of [
      '/decisions?asOf=11',
      '?asOf=11',
      '/diff?from=0&to=11',
      '/diff?from=11&to=12',
      '/changes?since=11',
    ]) {
      const { status, text } = await asReviewer(`/v1/contexts/c${query}`);
      expect([query, status, text]).toEqual([query, 200, expect.not.stringContaining(secret)]);
      expect(text).not.toContain('"decisionId":"DEC-001"');
    }
    expect((await asReviewerPosts('/v1/contexts/c/restore', { version: 11 })).status).toBe(403);
  });

  it('is not shown by a fork as if it were still in force', async () => {
    const path = await server.context('forked');
    await server.post(`${path}/decisions`, { topic: 't', decision: 'first' });
    const second = { topic: 't', decision: 'second', supersedes: 'DEC-001' };
    await server.post(`${path}/decisions`, second);
    expect((await asReviewerPosts(`${path}/forks`, { atVersion: 2 })).status).toBe(403);
    const forked = await asReviewerPosts(`${path}/forks`, { atVersion: 3, contextId: 'fork' });
    expect(forked.status).toBe(201);
    const { body } = await asReviewer('/v1/contexts/fork/decisions');
    expect(body.items).toMatchObject([{ decision: 'second' }]);
  });

  it('is mentioned in no check', async () => {
    const path = await server.context('checked');
    const pending = { decision: 'p', confidence: 0, relatedRequirements: [secret] };
    await server.post(`${path}/decisions`, { ...pending, requiresApproval: true });
    const { status, text, body } = await asReviewer(`${path}/check`);
    expect([status, text]).toEqual([200, expect.not.stringContaining(secret)]);
    expect(body.findings.map(({ code }: { code: string }) => code)).not.toContain(
      'decision-pending',
    );
  });

  it('results in no search cursor', async () => {
    await server.post('/v1/contexts', { contextId: 'probed' });
    await server.post('/v1/contexts/probed/events', { events: [fail('a'), fail('b')] });
    await server.post('/v1/contexts', { contextId: 'probe', title: 'probe' });
    const { body } = await currentAnswer(() =>
      asReviewer(`/v1/contexts?q=probe+or+${secret}&limit=1`),
    );
    expect(body).toMatchObject({ items: [{ contextId: 'probe' }], nextCursor: null });
  });

  it('cannot be revealed by an administrator with a narrower key through a change of the policy', async () => {
    const key = await server.key({ role: 'admin', audiences: ['reviewer'] });
    const everything = { show: [{ types: ['*'] }] };
    const put = await server.call('PUT', '/v1/policies/reviewer', { key, body: everything });
    expect(put.body.type).toBe('/problems/forbidden');
  });

  it('does not reopen an issue that hidden and visible reviews address', async () => {
    const issue = { issueId: 'i1', severity: 'high', text: 't' };
    const addressing = { artifact: 'a', status: 'APPROVED', keyIssues: [], addresses: ['i1'] };
    for (const [contextId, hidden] of [
      ['once', []],
      ['twice', [{ ...addressing, reviewId: 'r2' }]],
    ] as const) {
      await server.context(contextId);
      const events = [
        {
          type: 'ReviewRecorded',
          data: { reviewId: 'r1', artifact: 'a', status: 'BLOCKED', keyIssues: [issue] },
        },
        ...hidden.map((data) => ({ type: 'ReviewRecorded', data, visibility: 'working' })),
        { type: 'ReviewRecorded', data: { ...addressing, reviewId: 'r3' } },
      ];
      expect((await server.post(`/v1/contexts/${contextId}/events`, { events })).status).toBe(201);
      const { body } = await server.get(`/v1/contexts/${contextId}?audience=developer`);
      expect([contextId, body.openIssues]).toEqual([contextId, []]);
    }
  });
});

describe('search of a narrower audience', () => {
  type Query = Readonly<Record<string, string>>;
  /** The contexts that a reviewer finds. The answer itself states whether the index is current. */
  const found = async (query: Query): Promise<string[]> => {
    const { status, body } = await currentAnswer(() =>
      asReviewer(`/v1/contexts?${new URLSearchParams(query)}`),
    );
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body.items.map(({ contextId }: { contextId: string }) => contextId);
  };
  const containing = (pattern: object) => found({ contains: JSON.stringify(pattern) });

  it('finds a context by its visible content', async () => {
    expect(await found({ q: '"it is there"' })).toEqual(['c']);
    expect(await containing({ requirements: [{ requirementId: 'R-1' }] })).toEqual(['c']);
    expect(await containing({ decisionHistory: [{ decision: 'PostgreSQL' }] })).toEqual(['c']);
  });

  it('finds nothing by hidden content, and misses nothing because of it', async () => {
    expect(await found({ q: secret })).toEqual([]);
    expect(await found({ q: 'small' })).toEqual([]);
    expect(await containing({ decisionHistory: [{ decisionId: 'DEC-001' }] })).toEqual([]);
    expect(await containing({ globalContext: { [secret]: true } })).toEqual([]);
    expect(await found({ q: `PostgreSQL -${secret}` })).toEqual(['c']);
  });

  it('finds a visible value that a hidden event has replaced', async () => {
    await server.context('changed');
    await server.post('/v1/contexts/changed/events', {
      events: [
        {
          type: 'GlobalContextSet',
          data: { values: { rules: { licence: 'apache', level: 'aa' } } },
        },
        {
          type: 'GlobalContextSet',
          data: { values: { rules: { licence: secret } } },
          visibility: 'working',
        },
      ],
    });
    expect(await found({ q: 'apache' })).toEqual(['changed']);
    const rules = { licence: 'apache', level: 'aa' };
    expect(await containing({ globalContext: { rules } })).toEqual(['changed']);
    expect(await containing({ globalContext: { rules: { licence: secret } } })).toEqual([]);
  });
});

it('docs/audiences.md shows the real answers to its requests', () =>
  proveHttpPage('audiences.md', server));

type StoredEvent = Readonly<{ type: string; version: number }>;
