import { caughtUp } from './caught-up.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let analyst: string;
let pm: string;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  analyst = await server.key({ role: 'agent', agentId: 'analyst' });
  pm = await server.key({ role: 'agent', agentId: 'pm' });
}, 120_000);

afterAll(() => server.stop());

const put = (transformationId: string, body: object, key?: string) =>
  server.call('PUT', `/v1/transformations/${encodeURIComponent(transformationId)}`, {
    body,
    ...(key === undefined ? {} : { key }),
  });

const scoring = {
  trigger: { agent: 'analyst' },
  sources: {
    core_features: 'analyst.outputs.project_brief.structured_data.core_features',
    target_users: 'analyst.outputs.project_brief.structured_data.target_users',
    technical_constraints: 'analyst.outputs.project_brief.structured_data.technical_constraints',
  },
  operation: {
    kind: 'score',
    expression:
      '(len(core_features) * 2 + len(target_users) * 1.5 + len(technical_constraints) * 3) / 3',
  },
  destinations: ['project_metadata.complexity_score'],
};

const brief = {
  stepId: 'analysis',
  name: 'project_brief',
  output: {
    structured_data: {
      core_features: ['catalogue', 'cart', 'checkout', 'returns'],
      target_users: ['buyer', 'seller'],
      technical_constraints: ['PCI DSS'],
    },
  },
};

describe('transformations of a workspace', () => {
  it('are stored in versions by an administrator, and read with any key', async () => {
    const stored = await put('complexity_scoring', scoring);
    expect(stored.status).toBe(201);
    expect(stored.body).toMatchObject({
      ...scoring,
      transformationId: 'complexity_scoring',
      version: 1,
      changedBy: 'admin',
    });
    expect((await put('complexity_scoring', scoring)).status).toBe(200);
    const read = await server.get('/v1/transformations/complexity_scoring', { key: analyst });
    expect([read.status, read.body]).toEqual([200, stored.body]);
    const list = await server.get('/v1/transformations?limit=1', { key: analyst });
    expect(list.body).toEqual({ items: [stored.body], nextCursor: null });
    expect((await put('complexity_scoring', scoring, analyst)).status).toBe(403);
    expect((await server.get('/v1/transformations/other')).status).toBe(404);
  });

  it('are refused with a pointer to the invalid field', async () => {
    const faults = async (body: object) => {
      const { status, body: problem } = await put('faulty', body);
      return [status, problem.errors.map(({ pointer }: { pointer: string }) => pointer)];
    };
    expect(await faults({ ...scoring, operation: { kind: 'javascript' } })).toEqual([
      422,
      ['/operation/kind'],
    ]);
    expect(await faults({ ...scoring, sources: { x: 'pm.outputs' } })).toEqual([
      422,
      ['/sources/x', '/operation/expression'],
    ]);
    expect(await faults(scoring)).toEqual([422, ['/destinations/0']]);
    const inexact = { kind: 'score', expression: 'len(core_features) + 9007199254740993' };
    expect((await put('faulty', { ...scoring, operation: inexact })).body.errors).toContainEqual({
      pointer: '/operation/expression',
      detail:
        'at character 22: no double holds 9007199254740993 exactly: write 9007199254740992, or a number of at most 15 digits',
    });
    const round = {
      ...scoring,
      sources: { score: 'project_metadata.twice' },
      operation: { kind: 'score', expression: 'score * 2' },
      destinations: ['project_metadata.twice'],
    };
    expect(await faults(round)).toEqual([422, ['/sources/score']]);
    expect((await put('faulty', round)).body.errors[0].detail).toBe(
      'forms a cycle: "faulty" depends on "faulty"',
    );
  });
});

describe('a derived value', () => {
  it('is stored with the output that triggers it, and is part of the document', async () => {
    const path = await server.context('derived');
    const written = await server.post(`${path}/step-outputs`, brief, { key: analyst });
    expect(written.status).toBe(201);
    expect(written.body.events).toMatchObject([
      { type: 'StepOutputAdded', version: 2 },
      { type: 'ValueDerived', version: 3 },
    ]);
    const { body } = await server.get(path);
    expect(body.derived).toEqual({
      'project_metadata.complexity_score': {
        value: 14 / 3,
        from: Object.values(scoring.sources).map((source) => ({ path: source, version: 2 })),
        transformation: 'complexity_scoring',
        transformationVersion: 1,
        agentId: 'analyst',
        timestamp: expect.any(String),
        version: 3,
      },
    });
    // One write becomes visible as a unit: no read returns one event without the other.
    const inside = await server.get(`${path}?asOf=2`);
    expect([inside.status, inside.body]).toEqual([
      409,
      expect.objectContaining({ type: '/problems/inside-append', before: 1, end: 3 }),
    ]);
    const { body: diff } = await server.get(`${path}/diff?from=2&to=3`);
    expect(diff.entriesChanged).toMatchObject([
      { part: 'derived', key: 'project_metadata.complexity_score', before: null },
    ]);
  });

  it('is not stored again while it is equal, and is recomputed when a source changes', async () => {
    const path = await server.context('again');
    await server.post(`${path}/step-outputs`, brief, { key: analyst });
    const same = await server.post(`${path}/step-outputs`, brief, { key: analyst });
    expect(same.body.events).toHaveLength(1);
    const larger = structuredClone(brief);
    larger.output.structured_data.core_features.push('gift cards');
    const changed = await server.post(`${path}/step-outputs`, larger, { key: analyst });
    expect(changed.body.events).toHaveLength(2);
    const { body } = await server.get(path);
    expect(body.derived['project_metadata.complexity_score']).toMatchObject({
      value: 16 / 3,
      version: 6,
    });
  });

  describe('of a context older than its transformation', () => {
    const late = { ...scoring, destinations: ['project_metadata.late_score'] };
    const lateTransformation = {
      trigger: { transformation: 'late' },
      sources: { score: 'project_metadata.late_score' },
      operation: {
        kind: 'select',
        by: 'score',
        ranges: [{ upTo: 4, value: 'small' }, { value: 'large' }],
      },
      destinations: ['project_metadata.late_kind'],
    };
    const derive = (path: string, id = 'late', key?: string) =>
      server.post(
        `${path}/transformations/${id}/derive`,
        undefined,
        key === undefined ? {} : { key },
      );
    let path: string;
    let working: string;
    beforeAll(async () => {
      path = await server.context('late');
      working = await server.context('late-working');
      await server.post(`${path}/step-outputs`, brief, { key: analyst });
      await server.post(
        `${working}/step-outputs`,
        { ...brief, visibility: 'working' },
        { key: analyst },
      );
      expect((await put('late', late)).status).toBe(201);
      expect((await put('late_kind', lateTransformation)).status).toBe(201);
    });

    it('is derived on request, with the values that depend on it', async () => {
      const { body: before } = await server.get(path);
      expect(before.derived).not.toHaveProperty(['project_metadata.late_score']);
      const derived = await derive(path);
      expect([
        derived.status,
        derived.body.events.map(({ type }: { type: string }) => type),
      ]).toEqual([201, ['ValueDerived', 'ValueDerived']]);
      const { body } = await server.get(path);
      expect(body.derived).toMatchObject({
        'project_metadata.late_score': {
          value: 14 / 3,
          transformation: 'late',
          transformationVersion: 1,
          from: late.sources && [{ version: 2 }, { version: 2 }, { version: 2 }],
        },
        'project_metadata.late_kind': { value: 'large' },
      });
    });

    it('is derived once: the same request adds nothing', async () => {
      const again = await derive(path);
      expect([again.status, again.body.events]).toEqual([200, []]);
      const { body: before } = await server.get(path);
      await Promise.all(Array.from({ length: 5 }, () => derive(path)));
      expect((await server.get(path)).body._version).toBe(before._version);
    });

    it('is a working note if its sources are', async () => {
      expect((await derive(working)).status).toBe(201);
      const { body } = await server.get(`${working}/events?after=3`);
      const derived = body.items.filter(({ type }: { type: string }) => type === 'ValueDerived');
      expect(derived.map(({ visibility }: { visibility: string }) => visibility)).toEqual([
        'working',
        'working',
      ]);
    });

    it('is not derived before its trigger', async () => {
      const empty = await server.context('late-empty');
      const derived = await derive(empty);
      expect([derived.status, derived.body.events]).toEqual([200, []]);
    });

    it('requires an administrator of the workspace, an existing transformation and an existing context', async () => {
      expect((await derive(path, 'late', analyst)).status).toBe(403);
      const limited = await server.key({ role: 'admin', contexts: ['late'] });
      expect((await derive(path, 'late', limited)).status).toBe(403);
      const absent = await derive(path, 'absent');
      expect([absent.status, absent.body.detail]).toEqual([
        404,
        'there is no active transformation "absent"',
      ]);
      expect((await derive(`${path}-absent`)).status).toBe(404);
    });

    it('is derived by the current version of the transformation', async () => {
      const operation = { kind: 'score', expression: 'len(core_features)' };
      expect((await put('late', { ...late, operation })).status).toBe(201);
      const { body } = await derive(path);
      expect(body.events).toHaveLength(2);
      const { body: after } = await server.get(path);
      expect(after.derived).toMatchObject({
        'project_metadata.late_score': { value: 4, transformationVersion: 2 },
        'project_metadata.late_kind': { value: 'small' },
      });
    });

    it('is refused for a closed context', async () => {
      await server.post(`${path}/close`);
      expect((await put('late', late)).status).toBe(201);
      expect((await derive(path)).status).toBe(409);
    });

    afterAll(async () => {
      await put('late', { ...late, active: false });
      await put('late_kind', { ...lateTransformation, active: false });
    });
  });

  it('does not result from outputs of other agents', async () => {
    const path = await server.context('others');
    const written = await server.post(`${path}/step-outputs`, brief, { key: pm });
    expect(written.body.events).toHaveLength(1);
  });

  it('never fails the write of the agent: an error is stored in place of the value', async () => {
    const path = await server.context('faults');
    const oddSource = structuredClone(brief) as {
      output: { structured_data: Record<string, unknown> };
    };
    oddSource.output.structured_data['core_features'] = 4;
    const written = await server.post(`${path}/step-outputs`, oddSource, { key: analyst });
    expect(written.status).toBe(201);
    const { body } = await server.get(path);
    expect(body.derived['project_metadata.complexity_score']).toMatchObject({
      value: null,
      problem: 'at character 2: len is for a text, a list or an object, not for a number',
    });
  });

  it('precedes the end of a context that is closed in the same batch as its source', async () => {
    const path = await server.context('closed');
    const { stepId, name, output } = brief;
    const events = [
      { type: 'StepOutputAdded', data: { stepId, name, output } },
      { type: 'ContextClosed', data: {} },
    ];
    const written = await server.post(`${path}/events`, { events, agentId: 'analyst' });
    expect(written.status).toBe(201);
    expect(written.body.events.map(({ type }: { type: string }) => type)).toEqual([
      'StepOutputAdded',
      'ValueDerived',
      'ContextClosed',
    ]);
    expect((await server.get(path)).body.status).toBe('closed');
  });

  it('is part of the answer that is repeated for the same key', async () => {
    const path = await server.context('repeated');
    const headers = { 'idempotency-key': 'once' };
    const first = await server.post(`${path}/step-outputs`, brief, { key: analyst, headers });
    const again = await server.post(`${path}/step-outputs`, brief, { key: analyst, headers });
    expect(again.body).toEqual(first.body);
    expect(first.body.events).toHaveLength(2);
  });

  it('is restored and forked together with its sources', async () => {
    const path = await server.context('restored');
    await server.post(`${path}/step-outputs`, brief, { key: analyst });
    const larger = structuredClone(brief);
    larger.output.structured_data.core_features.push('gift cards');
    await server.post(`${path}/step-outputs`, larger, { key: analyst });
    await server.post(`${path}/restore`, { version: 3 });
    const { body } = await server.get(path);
    expect(body.derived['project_metadata.complexity_score']).toMatchObject({ value: 14 / 3 });
    const again = await server.post(`${path}/step-outputs`, brief, { key: analyst });
    expect(again.body.events).toHaveLength(1);
    const fork = await server.post(`${path}/forks`, { atVersion: 5, contextId: 'restored-fork' });
    expect(fork.status).toBe(201);
    const forked = await server.get('/v1/contexts/restored-fork');
    expect(forked.body.derived['project_metadata.complexity_score']).toMatchObject({
      value: 16 / 3,
      version: 1,
      from: [{ version: 1 }, { version: 1 }, { version: 1 }],
    });
  });

  it('can be written back unchanged only', async () => {
    const path = await server.context('written-back');
    await server.post(`${path}/step-outputs`, brief, { key: analyst });
    const { body, headers } = await server.get(path);
    const write = (document: object) =>
      server.call('PUT', path, {
        body: document,
        headers: { 'if-match': String(headers['etag']) },
      });
    const same = await write(body);
    expect([same.status, same.body.events]).toEqual([200, []]);
    const forged = structuredClone(body);
    forged.derived['project_metadata.complexity_score'].value = 1;
    const refused = await write(forged);
    expect([refused.status, refused.body.type]).toEqual([422, '/problems/not-expressible']);
    expect(refused.body.errors[0].pointer).toMatch(/^\/derived/);
  });

  it('is folded equally from events and from rows', async () => {
    const path = await server.context('folded');
    await server.post(`${path}/step-outputs`, brief, { key: analyst });
    const fresh = await server.get(path);
    await caughtUp(server);
    expect((await server.get(path)).body).toEqual(fresh.body);
    const again = await server.post(`${path}/step-outputs`, brief, { key: analyst });
    expect(again.body.events).toHaveLength(1);
  });

  it('cannot be stated by a client', async () => {
    const path = await server.context('forged');
    const data = {
      path: 'project_metadata.complexity_score',
      value: 1,
      from: [],
      transformation: 'complexity_scoring',
      transformationVersion: 1,
    };
    const events = [{ type: 'ValueDerived', data }];
    const refused = await server.post(`${path}/events`, { events });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/events/0/type']);
  });

  it('is no longer derived after its transformation was deactivated', async () => {
    const path = await server.context('switched-off');
    const earlier = await server.context('switched-off-later');
    await server.post(`${earlier}/step-outputs`, brief, { key: analyst });
    const derivedBefore = async () => (await server.get(earlier)).body.derived;
    const copy = await server.get(earlier);
    const conditional = { headers: { 'if-none-match': String(copy.headers.etag) } };
    expect((await server.get(earlier, conditional)).status).toBe(304);
    await put('complexity_scoring', { ...scoring, active: false });
    const stored = await server.post(`${path}/step-outputs`, brief, { key: analyst });
    expect(stored.body.events).toHaveLength(1);
    const before = await derivedBefore();
    expect(before['project_metadata.complexity_score']).toMatchObject({ active: false });
    // The ETag of the earlier copy differs, although no event was written.
    const marked = await server.get(earlier, conditional);
    expect([marked.status, marked.body.derived]).toEqual([200, before]);
    const etag = String(marked.headers.etag);
    const now = { headers: { 'if-none-match': etag } };
    expect((await server.get(earlier, now)).status).toBe(304);
    expect((await server.get(`${earlier}?parts=derived`, now)).status).toBe(200);
    const written = await server.call('PUT', earlier, {
      body: marked.body,
      headers: { 'if-match': etag },
    });
    expect([written.status, written.body]).toEqual([200, expect.objectContaining({ events: [] })]);
    expect((await put('complexity_scoring', scoring)).body.version).toBe(3);
    expect((await server.get(earlier, now)).status).toBe(200);
    expect((await server.get(earlier, conditional)).status).toBe(304);
    const back = await server.call('PUT', earlier, {
      body: marked.body,
      headers: { 'if-match': etag },
    });
    expect(back.status).toBe(200);
    expect((await derivedBefore())['project_metadata.complexity_score']).not.toHaveProperty(
      'active',
    );
    const after = await server.post(`${path}/step-outputs`, brief, { key: analyst });
    expect(after.body.events).toHaveLength(2);
  });

  it('is marked in views, items and prompts while its transformation is inactive, and each receipt reproduces its text', async () => {
    const path = await server.context('marked');
    await server.post(`${path}/step-outputs`, brief, { key: analyst });
    const ref = 'derived:project_metadata.complexity_score';
    const read = async () => {
      const answers = await Promise.all(
        ['/view?maxTokens=2000', '/view?maxTokens=2000&asOf=3', `/items/${ref}`, ''].map((route) =>
          server.get(`${path}${route}`),
        ),
      );
      const prompt = await server.post(`${path}/prompt`, { template: '{{view}}' });
      return {
        texts: [...answers.slice(0, 3), prompt].map(({ body }) => String(body.text)),
        receipts: answers.flatMap(({ headers }) => headers['receipt'] ?? []).map(String),
      };
    };
    const textOf = (receipts: readonly string[]) =>
      Promise.all(
        receipts.map(async (receipt) => (await server.get(`/v1/receipts/${receipt}`)).body),
      );
    const words = 'inactive: no transformation derives it';
    const activeText = await read();
    await put('complexity_scoring', { ...scoring, active: false });
    const inactiveText = await read();
    await put('complexity_scoring', scoring);
    const reactivatedText = await read();
    expect(activeText.texts.map((text) => text.includes(words))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(inactiveText.texts.map((text) => text.includes(words))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(reactivatedText.texts).toEqual(activeText.texts);
    for (const { texts, receipts } of [activeText, inactiveText, reactivatedText]) {
      const shown = await textOf(receipts);
      expect(shown.map(({ missing }) => missing)).toEqual([null, null, null]);
      expect(shown.slice(0, 2).map(({ text }) => text)).toEqual(texts.slice(0, 2));
    }
  });
});
