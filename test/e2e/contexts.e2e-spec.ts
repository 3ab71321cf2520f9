import { caughtUp } from './caught-up.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
beforeAll(async () => void (server = await ThroughlineServer.shared()), 120_000);
afterAll(() => server.stop());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[57][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('creating a context', () => {
  it('answers 201 with ETag, Location and the stored event', async () => {
    const { status, headers, body } = await server.post('/v1/contexts', {
      contextId: 'first',
      title: 'First',
    });
    expect(status).toBe(201);
    expect(headers).toMatchObject({
      etag: '"1"',
      location: '/v1/contexts/first',
      'cache-control': 'private, no-cache',
    });
    expect(body).toEqual({
      contextId: 'first',
      version: 1,
      events: [{ eventId: expect.stringMatching(uuid), type: 'ContextCreated', version: 1 }],
    });
  });

  it('accepts {} and an empty body, and generates an id', async () => {
    for (const body of [{}, undefined]) {
      const created = await server.post('/v1/contexts', body);
      expect(created.status).toBe(201);
      expect(created.body.contextId).toMatch(uuid);
    }
  });

  it('derives the id from an Idempotency-Key, so that a repetition gets the first answer', async () => {
    const headers = { 'idempotency-key': 'create-once' };
    const first = await server.post('/v1/contexts', { title: 'once' }, { headers });
    const again = await server.post('/v1/contexts', { title: 'once' }, { headers });
    expect([again.status, again.text, again.headers['etag']]).toEqual([
      201,
      first.text,
      first.headers['etag'],
    ]);
  });

  it('refuses a repeated key with another body, with and without an id in the body', async () => {
    const headers = { 'idempotency-key': 'create-other' };
    await server.post('/v1/contexts', { title: 'one' }, { headers });
    for (const body of [{ title: 'two' }, { title: 'one', contextId: 'another' }]) {
      const reused = await server.post('/v1/contexts', body, { headers });
      expect([reused.status, reused.body.type]).toEqual([422, '/problems/idempotency-key-reused']);
    }
  });

  it('refuses a condition that a missing context cannot meet', async () => {
    const headers = { 'if-match': '"1"' };
    const refused = await server.post('/v1/contexts', { contextId: 'conditional' }, { headers });
    expect([refused.status, refused.body]).toEqual([
      412,
      expect.objectContaining({
        type: '/problems/version-conflict',
        expectedVersion: 1,
        currentVersion: 0,
        missed: [],
        missedTruncated: false,
      }),
    ]);
    expect((await server.get('/v1/contexts/conditional')).status).toBe(404);
  });

  it('refuses an existing id', async () => {
    await server.context('twice');
    const again = await server.post('/v1/contexts', { contextId: 'twice', title: 'other' });
    expect([again.status, again.body.type]).toEqual([409, '/problems/context-exists']);
  });
});

describe('reading a document', () => {
  it('returns each part, empty parts as such, and outputs exactly as sent', async () => {
    const path = await server.context('document');
    const output = '{"":[1,0.1,null],"s":"\\ud800\\u0000","__proto__":{"x":1}}';
    await server.call('POST', `${path}/step-outputs`, {
      text: `{"stepId":"step-1","output":${output}}`,
    });
    const { status, headers, text, body } = await server.get(path);
    expect([status, headers['etag']]).toEqual([200, '"2"']);
    expect(text).toContain(`"stepOutputs":{"step-1":${output}}`);
    expect(body).toMatchObject({
      contextId: 'document',
      workspace: server.workspace,
      status: 'open',
      createdBy: 'admin',
      globalContext: {},
      decisionHistory: [],
      userPreferences: {},
      artifactReferences: [],
      dependencies: { external: [], internal: [], blockers: [] },
      run: null,
      size: { events: 2 },
      _version: 2,
      _lastModifiedBy: 'admin',
    });
  });

  it('returns the members of the OpenAPI document, and no others', async () => {
    const { body: api } = await server.get('/openapi.json');
    const { schema } =
      api.paths['/v1/contexts/{contextId}'].get.responses[200].content['application/json'];
    const members = Object.keys(schema.properties).toSorted();
    const ofChildren = 'executionSummary';
    expect(members.filter((name) => !schema.required.includes(name))).toEqual([ofChildren]);
    const workflow = { definitionId: 'sdd', version: 1, hash: 'h' };
    await server.post('/v1/contexts', { contextId: 'parent-of-one', workflow, input: ['any'] });
    const alone = await server.get('/v1/contexts/parent-of-one');
    expect(Object.keys(alone.body).toSorted()).toEqual(
      members.filter((name) => name !== ofChildren),
    );
    await server.post('/v1/contexts', { contextId: 'child-of-one', parent: 'parent-of-one' });
    await caughtUp(server);
    const { body } = await server.get('/v1/contexts/parent-of-one');
    expect(Object.keys(body).toSorted()).toEqual(members);
  });

  it('answers 304 to its ETag, and 200 after a write', async () => {
    const path = await server.context('conditional');
    const { headers } = await server.get(path);
    const etag = String(headers['etag']);
    for (const tag of [etag, `W/${etag}`, `"9", ${etag}`, '*']) {
      const unchanged = await server.get(path, { headers: { 'if-none-match': tag } });
      expect([unchanged.status, unchanged.text, unchanged.headers['etag']]).toEqual([
        304,
        '',
        etag,
      ]);
    }
    await server.call('PATCH', `${path}/preferences`, { body: { a: 1 } });
    const changed = await server.get(path, { headers: { 'if-none-match': etag } });
    expect([changed.status, changed.headers['etag']]).toEqual([200, '"2"']);
  });

  it('accepts a version or a time, and refuses other positions', async () => {
    const path = await server.context('past');
    await server.call('PATCH', `${path}/preferences`, { body: { a: 1 } });
    await server.call('PATCH', `${path}/preferences`, { body: { a: 2 } });
    const { body } = await server.get(`${path}/events`);
    const at = async (asOf: string) => server.get(`${path}?asOf=${encodeURIComponent(asOf)}`);
    expect((await at('2')).body.userPreferences).toEqual({ a: 1 });
    expect((await at('2')).headers['etag']).toBe('"2"');
    expect((await at(body.items[2].recordedAt)).body._version).toBeGreaterThanOrEqual(2);
    for (const position of ['4', '-1', 'x', '', '2026-01-01', '1e1', '99999999999999999999'])
      expect([position, (await at(position)).body.type]).toEqual([
        position,
        '/problems/invalid-position',
      ]);
    expect((await at('4')).body.errors).toEqual([{ pointer: '/asOf', detail: expect.any(String) }]);
    for (const position of ['0', '1999-12-31T00:00:00Z']) {
      const { status, body: early } = await at(position);
      expect([status, early.type]).toEqual([404, '/problems/context-not-found']);
      expect(early.detail).toContain(`did not exist at ${position}`);
      expect(early.detail).toContain(`created at ${body.items[0].recordedAt}`);
      const stranger = { headers: { workspace: server.workspaceNamed('elsewhere') } };
      const hidden = await server.get(`${path}?asOf=${encodeURIComponent(position)}`, stranger);
      expect(hidden.body.detail).toBe('there is no such context: check its id, or create it');
    }
  });

  it('refuses an undefined audience', async () => {
    const path = await server.context('audience');
    expect((await server.get(`${path}?audience=all`)).status).toBe(200);
    const unknown = await server.get(`${path}?audience=nobody`);
    expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([422, '/audience']);
  });
});

describe('conditional and repeated writes', () => {
  it('refuses a write on an old version and returns the missed events', async () => {
    const path = await server.context('missed');
    await server.post(`${path}/step-outputs`, { stepId: 's', output: 1 });
    const headers = { 'if-match': '"1"' };
    const refused = await server.post(
      `${path}/step-outputs`,
      { stepId: 's', output: 2 },
      { headers },
    );
    expect(refused.status).toBe(412);
    const { items } = (await server.get(`${path}/events?after=1`)).body;
    expect(refused.body).toMatchObject({
      type: '/problems/version-conflict',
      expectedVersion: 1,
      currentVersion: 2,
      missed: items,
      missedTruncated: false,
      retryAfterMs: expect.any(Number),
    });
    const weak = { headers: { 'if-match': 'W/"2"' } };
    const written = await server.post(`${path}/step-outputs`, { stepId: 's', output: 2 }, weak);
    expect([written.status, written.body.version]).toEqual([201, 3]);
  });

  it('answers a repeated key with the first answer, even after the context was closed', async () => {
    const path = await server.context('repeated');
    const options = { headers: { 'idempotency-key': 'k1', 'if-match': '"1"' } };
    const body = { decision: 'yes' };
    const first = await server.post(`${path}/decisions`, body, options);
    await server.post(`${path}/close`);
    const again = await server.post(`${path}/decisions`, body, options);
    expect([again.status, again.text, again.headers['etag']]).toEqual([
      first.status,
      first.text,
      first.headers['etag'],
    ]);
    const other = await server.post(`${path}/decisions`, { decision: 'no' }, options);
    expect([other.status, other.body.type]).toEqual([422, '/problems/idempotency-key-reused']);
    const elsewhere = await server.post(
      `${path}/step-outputs`,
      { stepId: 's', output: 1 },
      {
        headers: { 'idempotency-key': 'k1' },
      },
    );
    expect(elsewhere.body.type).toBe('/problems/context-closed');
  });

  it('treats a missing body like an empty one', async () => {
    const path = await server.context('bodiless');
    const options = { headers: { 'idempotency-key': 'bodiless' } };
    const first = await server.post(`${path}/close`, undefined, options);
    const again = await server.post(`${path}/close`, {}, options);
    expect([again.status, again.text]).toEqual([201, first.text]);
    const other = await server.post(`${path}/close`, { reason: 'r' }, options);
    expect(other.body.type).toBe('/problems/idempotency-key-reused');
  });

  it('stores ten equal concurrent requests once', async () => {
    const path = await server.context('ten');
    const options = { headers: { 'idempotency-key': 'ten' } };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        server.post(`${path}/step-outputs`, { stepId: 's', output: 1 }, options),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await server.get(path)).body._version).toBe(2);
  });

  it('uses one key scope for a path, regardless of the percent-encoding of its ids', async () => {
    await server.context('spelling');
    const options = { headers: { 'idempotency-key': 'spelt' } };
    const first = await server.post('/v1/contexts/spelling/steps/a-b/start', {}, options);
    const again = await server.post('/v1/contexts/spell%69ng/steps/a%2Db/start', {}, options);
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it('answers 200 without events if there is nothing to add', async () => {
    const path = await server.context('nothing-to-add');
    const artifact = { artifactId: 'a', artifactType: 'spec', path: 'a.md' };
    const decision = { decisionId: 'D', decision: 'yes' };
    await server.call('PATCH', `${path}/preferences`, { body: { a: { b: 1 } } });
    await server.post(`${path}/artifacts`, artifact);
    await server.post(`${path}/decisions`, decision);
    const again = [
      await server.call('PATCH', `${path}/preferences`, { body: { a: { b: 1 } } }),
      await server.post(`${path}/artifacts`, artifact),
      await server.post(`${path}/decisions`, decision),
    ];
    for (const { status, body, headers } of again)
      expect([status, body.version, body.events, headers['etag']]).toEqual([200, 4, [], '"4"']);
    await server.post(`${path}/close`);
    expect((await server.post(`${path}/close`)).status).toBe(200);
  });
});

describe('closing and reopening', () => {
  it('refuses each write except reopening, with and without a body', async () => {
    const path = await server.context('closing');
    expect((await server.post(`${path}/close`, { reason: 'done' })).status).toBe(201);
    const refused = await server.post(`${path}/steps/s/start`);
    expect([refused.status, refused.body.type]).toEqual([409, '/problems/context-closed']);
    expect((await server.get(path)).body.status).toBe('closed');
    expect((await server.post(`${path}/reopen`, {})).status).toBe(201);
    expect((await server.post(`${path}/steps/s/start`)).status).toBe(201);
  });
});

describe('steps', () => {
  it('returns the latest output, all outputs, and null without an output', async () => {
    const path = await server.context('outputs');
    await server.post(`${path}/steps/s/start`);
    await server.post(`${path}/steps/s/fail`, { reason: 'no luck' });
    const none = await server.get(`${path}/step-outputs/s`);
    expect([none.status, none.text]).toEqual([200, 'null']);
    await server.post(`${path}/step-outputs`, { stepId: 's', output: null, name: 'plan' });
    await server.post(`${path}/step-outputs`, { stepId: 's', output: { n: 2 } });
    const latest = await server.get(`${path}/step-outputs/s`);
    expect(latest.body).toEqual({
      stepId: 's',
      output: { n: 2 },
      name: null,
      version: 5,
      recordedAt: expect.any(String),
      recordedBy: 'admin',
    });
    const all = await server.get(`${path}/step-outputs/s?all=true`);
    expect(all.body.items.map(({ output }: { output: unknown }) => output)).toEqual([
      null,
      { n: 2 },
    ]);
    const page = await server.get(`${path}/step-outputs/s?all=true&limit=1`);
    const rest = await server.get(
      `${path}/step-outputs/s?all=true&limit=1&cursor=${page.body.nextCursor}`,
    );
    expect([rest.body.items[0].version, rest.body.nextCursor]).toEqual([5, null]);
  });

  it('answers a waiting reader as soon as the output exists, or after its timeout', async () => {
    const path = await server.context('waiting');
    const waiting = server.get(`${path}/step-outputs/late?wait=30`);
    const short = server.get(`${path}/step-outputs/never?wait=1`);
    await server.post(`${path}/step-outputs`, { stepId: 'late', output: 'here' });
    expect((await waiting).body.output).toBe('here');
    expect((await short).text).toBe('null');
  });

  it('refuses a waiting reader whose key is revoked, and returns no later output to it', async () => {
    const path = await server.context('revoked');
    const created = await server.post('/v1/keys', { role: 'agent' });
    const { keyId, secret: key } = created.body;
    const waiting = server.get(`${path}/step-outputs/late?wait=30`, { key });
    await server.get(`${path}/step-outputs/other?wait=1`, { key });
    await server.call('DELETE', `/v1/keys/${keyId}`);
    await server.post(`${path}/step-outputs`, { stepId: 'late', output: 'here' });
    const { status, body, headers } = await waiting;
    expect([status, body.type]).toEqual([401, '/problems/unauthenticated']);
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  it('accepts ids of any characters, percent-encoded in paths', async () => {
    const path = await server.context('odd-ids');
    for (const stepId of [
      'a/b',
      '...',
      '.a',
      '%2F',
      'ä ?#&',
      '\u{1F600}'.repeat(256),
      '__proto__',
    ]) {
      await server.post(`${path}/step-outputs`, { stepId, output: stepId });
      const read = await server.get(
        `${path}/step-outputs/${encodeURIComponent(stepId).replaceAll('.', '%2E')}`,
      );
      expect([read.status, read.body.output]).toEqual([200, stepId]);
    }
  });
});

describe('decisions', () => {
  it('permits one live decision per topic, lists and supersedes decisions', async () => {
    const path = await server.context('topics');
    const first = await server.post(`${path}/decisions`, {
      topic: 't',
      decision: 'a',
      rationale: 'r',
    });
    expect(first.body.decisionId).toBe('DEC-001');
    const taken = await server.post(`${path}/decisions`, { topic: 't', decision: 'b' });
    expect([taken.status, taken.body.type]).toEqual([409, '/problems/decision-topic-taken']);
    await server.post(`${path}/decisions`, { topic: 't', decision: 'b', supersedes: 'DEC-001' });
    const live = await server.get(`${path}/decisions?live=true&topic=t`);
    expect(live.body.items).toMatchObject([{ decisionId: 'DEC-002', live: true }]);
    expect((await server.get(`${path}/decisions`)).body.items).toHaveLength(2);
  });

  it('lets only a person approve a decision with low confidence', async () => {
    const path = await server.context('approvals');
    const agent = await server.key({ role: 'agent', agentId: 'architect' });
    const operator = await server.key({ role: 'operator' });
    const stated = await server.post(
      `${path}/decisions`,
      { decision: 'maybe', confidence: 0.1 },
      { key: agent },
    );
    const approve = `${path}/decisions/${stated.body.decisionId}/approve`;
    expect((await server.post(approve, {}, { key: agent })).status).toBe(403);
    expect((await server.post(approve, undefined, { key: operator })).status).toBe(201);
    const again = await server.post(approve.replace('approve', 'reject'), {}, { key: operator });
    expect([again.status, again.body.type]).toEqual([409, '/problems/approval-decided']);
    expect((await server.post(`${path}/decisions/none/approve`)).body.type).toBe(
      '/problems/not-found',
    );
  });
});

describe('batches and stored events', () => {
  it('stores a batch as a unit, in which each event depends on the earlier ones', async () => {
    const path = await server.context('batch');
    const { status, body } = await server.post(`${path}/events`, {
      events: [
        { type: 'StepStarted', data: { stepId: 's' } },
        { type: 'DecisionRecorded', data: { topic: 't', decision: 'a' }, visibility: 'working' },
        { type: 'DecisionRecorded', data: { topic: 't', decision: 'b', supersedes: 'DEC-001' } },
      ],
    });
    expect(status).toBe(201);
    expect(body.events).toMatchObject([
      { type: 'StepStarted', version: 2 },
      { version: 3, decisionId: 'DEC-001' },
      { version: 4, decisionId: 'DEC-002' },
    ]);
  });

  it('stores no event of a batch if one is refused', async () => {
    const path = await server.context('all-or-none');
    const refused = await server.post(`${path}/events`, {
      events: [
        { type: 'StepStarted', data: { stepId: 's' } },
        { type: 'DecisionRecorded', data: { topic: 't', decision: 'a' } },
        { type: 'DecisionRecorded', data: { topic: 't', decision: 'b' } },
      ],
    });
    expect(refused.body.type).toBe('/problems/decision-topic-taken');
    expect((await server.get(path)).body._version).toBe(1);
  });

  it('returns events as stored, chained, in pages', async () => {
    const path = await server.context('events');
    const headers = { 'correlation-id': 'job-7', 'causation-id': 'mail-3', trust: 'web' };
    await server.call('PATCH', `${path}/global-context`, { body: { constraints: ['x'] }, headers });
    await server.call('PATCH', `${path}/preferences`, { body: { a: 1 } });
    const { body } = await server.get(`${path}/events?limit=2`);
    const [created, set] = body.items;
    expect(set).toEqual({
      eventId: expect.stringMatching(uuid),
      type: 'GlobalContextSet',
      schemaVersion: 1,
      version: 2,
      position: expect.any(String),
      data: { values: { constraints: ['x'] } },
      recordedAt: expect.any(String),
      principal: 'admin',
      origin: null,
      correlationId: 'job-7',
      causationId: 'mail-3',
      basedOn: null,
      trust: 'web',
      visibility: 'record',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      previousHash: created.hash,
    });
    const rest = await server.get(`${path}/events?cursor=${body.nextCursor}`);
    expect(rest.body.items.map(({ version }: { version: number }) => version)).toEqual([3]);
    const chosen = await server.get(`${path}/events?types=PreferencesSet,ContextCreated&after=1`);
    expect(chosen.body.items.map(({ type }: { type: string }) => type)).toEqual(['PreferencesSet']);
    const named = await server.get(`${path}/events?type=PreferencesSet&type=ContextCreated`);
    expect(named.body.items).toMatchObject([{ version: 1 }, { version: 3 }]);
    const either = await server.get(`${path}/events?type=PreferencesSet&types=ContextCreated`);
    expect(either.body).toEqual(named.body);
    expect((await server.get(`${path}/events?type=PreferencesSet`)).body.items).toHaveLength(1);
  });

  it('refuses unknown types of events, with a suggestion', async () => {
    const path = await server.context('misspelt-types');
    const errorsOf = async (query: string) => {
      const { status, body } = await server.get(`${path}/events?${query}`);
      expect(status).toBe(422);
      return body.errors;
    };
    expect(await errorsOf('type=Nope')).toEqual([
      { pointer: '/type', detail: expect.stringContaining('"Nope" is not an event type') },
    ]);
    expect(await errorsOf('type=StepStarted&types=StepStart,decision_recorded')).toMatchObject([
      { pointer: '/types', suggestion: 'StepStarted' },
      { pointer: '/types', suggestion: 'DecisionRecorded' },
    ]);
  });

  it('scans a part of a long history per request, and waits for later events', async () => {
    const path = await server.context('long-history');
    for (let at = 0; at < 11; at++) {
      const events = Array.from({ length: 500 }, (_, n) => ({
        type: 'StepStarted',
        data: { stepId: `s-${at}-${n}` },
      }));
      expect((await server.post(`${path}/events`, { events })).status).toBe(201);
    }
    const asked = `${path}/events?type=PreferencesSet`;
    const first = (await server.get(asked)).body;
    expect(first).toEqual({ items: [], nextCursor: expect.any(String) });
    const rest = await server.get(`${asked}&cursor=${first.nextCursor}`);
    expect(rest.body).toEqual({ items: [], nextCursor: null });
    const waiting = server.get(`${asked}&wait=30`);
    await server.call('PATCH', `${path}/preferences`, { body: { a: 1 } });
    expect((await waiting).body.items).toMatchObject([{ version: 5_502 }]);
    expect((await server.get(`${asked}&wait=30`)).body.items).toMatchObject([{ version: 5_502 }]);
  });
});

describe('writing the whole document back', () => {
  it('stores the difference as ordinary events', async () => {
    const path = await server.context('put');
    await server.call('PATCH', `${path}/preferences`, { body: { a: 1, b: 2 } });
    const { body: document } = await server.get(path);
    const changed = { ...document, userPreferences: { a: 3, b: null } };
    const { status, body } = await server.call('PUT', path, {
      body: changed,
      headers: { 'if-match': '"2"' },
    });
    expect([status, body.version]).toEqual([201, 3]);
    expect((await server.get(path)).body.userPreferences).toEqual({ a: 3 });
  });

  it('requires If-Match, after checking that the context exists', async () => {
    const path = await server.context('put-blind');
    const blind = await server.call('PUT', path, { body: {} });
    expect([blind.status, blind.body.type]).toEqual([428, '/problems/precondition-required']);
    const absent = await server.call('PUT', '/v1/contexts/put-absent', { body: {} });
    expect(absent.body.type).toBe('/problems/context-not-found');
  });

  it('accepts the expected version in If-Match, in the body, or in both', async () => {
    const path = await server.context('put-version');
    const { body: document } = await server.get(path);
    const put = (sent: object, tag?: string) =>
      server.call('PUT', path, {
        body: sent,
        headers: tag === undefined ? {} : { 'if-match': tag },
      });
    const sent = { ...document, userPreferences: { tone: 'dry' } };
    expect((await put(sent)).body).toMatchObject({ version: 2 });
    const stale = await put({ ...sent, userPreferences: { tone: 'warm' } });
    expect([stale.status, stale.body]).toEqual([
      412,
      expect.objectContaining({
        expectedVersion: 1,
        currentVersion: 2,
        retryAfterMs: expect.any(Number),
        missed: [expect.objectContaining({ type: 'PreferencesSet' })],
      }),
    ]);
    const twice = await put({ _version: 2, userPreferences: { tone: 'warm' } }, 'W/"2"');
    expect([twice.status, twice.body.version]).toEqual([201, 3]);
    const differing = await put({ _version: 3, userPreferences: { tone: 'loud' } }, '"2"');
    expect([differing.status, differing.body.errors]).toEqual([
      422,
      [{ pointer: '/_version', detail: expect.stringMatching(/differs from If-Match.*send/) }],
    ]);
    for (const version of ['3', -1, 1.5, null])
      expect((await put({ _version: version })).body.errors).toMatchObject([
        { pointer: '/_version' },
      ]);
    expect((await server.get(path)).body._version).toBe(3);
    const absent = await server.call('PUT', '/v1/contexts/put-absent', { body: { _version: 1 } });
    expect(absent.body.type).toBe('/problems/context-not-found');
  });

  it('does not change omitted members, and accepts null as an output', async () => {
    const path = await server.context('put-partly');
    const events = [
      { type: 'PreferencesSet', data: { values: { old: 1, limits: { lines: 9, files: 3 } } } },
      { type: 'StepOutputAdded', data: { stepId: 'a', output: 'done' } },
      { type: 'DecisionRecorded', data: { decision: 'Use PostgreSQL' } },
    ];
    await server.post(`${path}/events`, { events });
    const body = {
      _version: 4,
      userPreferences: { limits: { lines: 8 }, new: true },
      stepOutputs: { s: null },
      decisionHistory: [],
      artifactReferences: [{ artifactType: 'page', uri: 'x:y' }],
    };
    const { status, body: written } = await server.call('PUT', path, { body });
    expect([status, written.events.map(({ type }: { type: string }) => type)]).toEqual([
      201,
      ['PreferencesSet', 'StepOutputAdded', 'ArtifactReferenced'],
    ]);
    const { body: document } = await server.get(path);
    expect(document).toMatchObject({
      userPreferences: { old: 1, limits: { lines: 8, files: 3 }, new: true },
      stepOutputs: { a: 'done', s: null },
      decisionHistory: [{ decision: 'Use PostgreSQL' }],
    });
    const again = { ...document, userPreferences: { old: null } };
    expect((await server.call('PUT', path, { body: again })).status).toBe(201);
    expect((await server.get(path)).body.userPreferences).toEqual({
      limits: { lines: 8, files: 3 },
      new: true,
    });
  });

  it('points to a change that no event can express', async () => {
    const path = await server.context('put-derived');
    const headers = { 'if-match': '"1"' };
    const refused = await server.call('PUT', path, { body: { createdBy: 'me' }, headers });
    expect([refused.status, refused.body.type]).toEqual([422, '/problems/not-expressible']);
    expect(refused.body.errors).toMatchObject([{ pointer: '/createdBy' }]);
  });
});

describe('lists of contexts', () => {
  it('shows a new context at once, newest first, page by page', async () => {
    const key = await server.key({
      role: 'agent',
      agentId: 'lister',
      workspace: server.workspaceNamed('lists'),
    });
    for (const contextId of ['l1', 'l2', 'l3']) await server.context(contextId, { key });
    const first = await server.get('/v1/contexts?limit=2', { key });
    expect(first.headers['x-projection-lag']).toMatch(/^\d+$/);
    expect(first.body.items.map(({ contextId }: { contextId: string }) => contextId)).toEqual([
      'l3',
      'l2',
    ]);
    const rest = await server.get(`/v1/contexts?limit=2&cursor=${first.body.nextCursor}`, { key });
    expect(rest.body).toMatchObject({ items: [{ contextId: 'l1' }], nextCursor: null });
    await server.post('/v1/contexts/l2/close', {}, { key });
    const none = await server.get('/v1/contexts?parent=l1', { key });
    expect(none.body.items).toEqual([]);
  });
});

describe('keys, settings and me', () => {
  it('shows a secret once, describes its key, and rejects it at once after a revocation', async () => {
    const made = await server.post('/v1/keys', { role: 'agent', agentId: 'a', actsFor: ['b'] });
    expect([made.status, typeof made.body.secret]).toEqual([201, 'string']);
    const { secret, keyId } = made.body;
    const ignored = { headers: { 'idempotency-key': 'not visible: ä'.slice(0, -1) } };
    expect((await server.post('/v1/keys', { role: 'agent' }, ignored)).status).toBe(201);
    const me = await server.get('/v1/me', { key: secret });
    const { workspace } = server;
    expect(me.body).toMatchObject({ principal: 'a', role: 'agent', workspace, keyId });
    const listed = await server.get('/v1/keys');
    expect(listed.text).toContain(keyId);
    expect(listed.text).not.toContain(secret);
    const revoked = await server.call('DELETE', `/v1/keys/${keyId}`);
    expect([revoked.status, revoked.text]).toEqual([204, '']);
    expect((await server.get('/v1/me', { key: secret })).status).toBe(401);
  });

  it('accepts writes for another agent only if the key may act for it', async () => {
    const key = await server.key({ role: 'agent', agentId: 'pm', actsFor: ['designer'] });
    const path = await server.context('acting', { key });
    const body = { stepId: 's', output: 1 };
    expect(
      (await server.post(`${path}/step-outputs`, { ...body, agentId: 'other' }, { key })).status,
    ).toBe(403);
    expect(
      (await server.post(`${path}/step-outputs`, { ...body, agentId: 'designer' }, { key })).status,
    ).toBe(201);
    const { items } = (await server.get(`${path}/events?after=1`, { key })).body;
    expect(items).toMatchObject([{ principal: 'pm', origin: { agentId: 'designer' } }]);
  });

  it('changes settings of the workspace, and null restores their default', async () => {
    const workspace = server.workspaceNamed('settled');
    const key = await server.key({ role: 'admin', workspace });
    const { body } = await server.get('/v1/settings', { key });
    const changed = await server.call('PATCH', '/v1/settings', {
      key,
      body: { agentsMayClose: false },
    });
    expect(changed.body).toEqual({ ...body, agentsMayClose: false });
    const agent = await server.key({ role: 'agent', workspace });
    const path = await server.context('stays-open', { key: agent });
    expect((await server.post(`${path}/close`, {}, { key: agent })).status).toBe(403);
    const reset = await server.call('PATCH', '/v1/settings', {
      key,
      body: { agentsMayClose: null },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(reset.body).toEqual(body);
  });
});
