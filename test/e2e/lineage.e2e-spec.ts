import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { caughtUp } from './caught-up.js';
import { throughlineOn } from './throughline-on.js';
import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'throughline-e2e-'));
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Version 1 is the creation, 2 an output, 3 a decision, 4 a name for 3, 5 another output, 6 another decision. */
async function story(contextId: string): Promise<string> {
  const path = `/v1/contexts/${contextId}`;
  await server.post('/v1/contexts', { contextId, title: 'Checkout', preferences: { tone: 'dry' } });
  await server.post(`${path}/step-outputs`, { stepId: 'plan', output: 1 });
  await server.post(`${path}/decisions`, { topic: 'db', decision: 'SQLite' });
  await server.post(`${path}/checkpoints`, { name: 'ready' });
  await server.post(`${path}/step-outputs`, { stepId: 'plan', output: 2 });
  await server.post(`${path}/decisions`, { topic: 'cache', decision: 'none' });
  return path;
}

const ownFacts = new Set(['size', '_version', '_lastModifiedAt', '_lastModifiedBy']);
const without = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !ownFacts.has(name)));

const projected = () => caughtUp(server);

describe('checkpoints', () => {
  it('name the current version once, and are listed', async () => {
    const path = await story('named');
    const { body, headers } = await server.get(`${path}/checkpoints`);
    expect(headers['etag']).toBe('"6"');
    expect(body).toMatchObject({
      items: [
        { name: 'ready', version: 3, createdBy: 'admin', automatic: false },
        { name: 'after:admin', version: 5, createdBy: 'admin', automatic: true },
      ],
      nextCursor: null,
    });
    const again = await server.post(`${path}/checkpoints`, { name: 'ready' });
    expect([again.status, again.body.errors[0].pointer]).toEqual([422, '/name']);
    const twice = await server.post(`${path}/checkpoints`, { name: 'now' });
    expect([twice.status, twice.body.version]).toEqual([201, 7]);
    const repeated = await server.post(`${path}/checkpoints`, { name: 'now' });
    expect([repeated.status, repeated.body.events]).toEqual([200, []]);
  });
});

describe('restoring a version', () => {
  it('returns the state of that version, before and after the projection, and all versions remain readable', async () => {
    const path = await story('restored');
    const before = await server.get(path);
    const earlier = await server.get(`${path}?asOf=3`);
    const answer = await server.post(`${path}/restore`, { checkpoint: 'ready' });
    expect([answer.status, answer.headers['etag']]).toEqual([201, '"7"']);
    expect(answer.body.events).toMatchObject([{ type: 'ContextRestored', version: 7 }]);
    for (const wait of [async () => undefined, projected]) {
      await wait();
      const current = await server.get(path);
      expect(without(current.body)).toEqual(without(earlier.body));
      expect(current.body).toMatchObject({ _version: 7, size: { events: 7 } });
      expect((await server.get(`${path}?asOf=6`)).body).toEqual(before.body);
      const outputs = await server.get(`${path}/step-outputs/plan?all=true`);
      expect(outputs.body.items).toMatchObject([{ output: 1, version: 2 }]);
    }
    const { body } = await server.get(`${path}/diff?from=6&to=7`);
    expect(body.outputsReplaced).toMatchObject([{ stepId: 'plan', after: { output: 1 } }]);
  });

  it('retains ids and checkpoints, and the topics of removed decisions are free again', async () => {
    const path = await story('counted');
    await server.post(`${path}/restore`, { version: 2 });
    const { status, body } = await server.post(`${path}/decisions`, { topic: 'db', decision: 'b' });
    expect([status, body.decisionId]).toEqual([201, 'DEC-003']);
    expect((await server.get(`${path}/checkpoints`)).body.items).toMatchObject([
      { name: 'ready', version: 3 },
      { name: 'after:admin', version: 5 },
    ]);
    expect((await server.get(`${path}/decisions`)).body.items).toHaveLength(1);
  });

  it('is serialized with concurrent writes', async () => {
    const path = await story('crowded');
    const answers = await Promise.all([
      server.call('PATCH', `${path}/preferences`, { body: { tone: 'warm', more: 1 } }),
      ...Array.from({ length: 5 }, () => server.post(`${path}/restore`, { version: 3 })),
      ...Array.from({ length: 10 }, () =>
        server.post(`${path}/decisions`, { topic: 'cache', decision: 'c' }),
      ),
    ]);
    const stored = answers.filter(({ status }) => status === 201);
    const versions = stored.map(({ body }) => body.version).toSorted((a, b) => a - b);
    expect(versions).toEqual(versions.map((_, n) => 7 + n));
    const last = Math.max(
      ...stored
        .filter(({ body }) => body.events[0].type === 'ContextRestored')
        .map(({ body }) => body.version),
    );
    const { body } = await server.get(`${path}?asOf=${last}`);
    expect(without(body)).toEqual(without((await server.get(`${path}?asOf=3`)).body));
    await projected();
    expect((await server.get(`${path}?asOf=${last}`)).body).toEqual(body);
    const live = await server.get(`${path}/decisions?live=true&topic=cache`);
    expect(live.body.items.length).toBeLessThanOrEqual(1);
  });

  it.each([
    [{}, 422, 'validation-failed'],
    [{ version: 1, checkpoint: 'ready' }, 422, 'validation-failed'],
    [{ checkpoint: 'unknown' }, 422, 'validation-failed'],
    [{ version: 99 }, 422, 'invalid-position'],
    [{ version: 0 }, 422, 'validation-failed'],
  ])('is refused for the target %j', async (target, status, code) => {
    await story('refused');
    const answer = await server.post('/v1/contexts/refused/restore', target);
    expect([answer.status, answer.body.type]).toEqual([status, `/problems/${code}`]);
  });

  it('accepts the same names of a version as forks, which must agree', async () => {
    const path = await server.context('two-names');
    await server.call('PATCH', `${path}/preferences`, { body: { a: 1 } });
    for (const verb of ['restore', 'forks']) {
      for (const target of [{ version: 1 }, { atVersion: 1 }, { version: 1, atVersion: 1 }])
        expect((await server.post(`${path}/${verb}`, target)).status).toBe(201);
      const refusals = [
        { version: 1, atVersion: 2 },
        { version: 1, checkpoint: 'c' },
        { atVersion: 1, checkpoint: 'c' },
        {},
      ].map(async (target) => {
        const { status, body } = await server.post(`${path}/${verb}`, target);
        return [status, body.errors[0].pointer, body.errors[0].detail];
      });
      for (const refusal of await Promise.all(refusals))
        expect(refusal).toEqual([422, '/atVersion', expect.stringContaining('send')]);
    }
  });

  it('is refused for a closed context, a stale version, and a missing context', async () => {
    const path = await story('shut');
    const stale = await server.post(`${path}/restore`, { version: 1 }, ifMatch('"5"'));
    expect(stale.status).toBe(412);
    await server.post(`${path}/close`);
    const closed = await server.post(`${path}/restore`, { version: 1 });
    expect([closed.status, closed.body.type]).toEqual([409, '/problems/context-closed']);
    expect((await server.post(`${path}/checkpoints`, { name: 'x' })).status).toBe(409);
    expect((await server.post('/v1/contexts/nowhere/restore', { version: 1 })).status).toBe(404);
  });

  it('answers a repeated key with the first answer', async () => {
    const path = await story('repeated');
    const key = { headers: { 'idempotency-key': 'once' } };
    const first = await server.post(`${path}/restore`, { version: 2 }, key);
    await server.post(`${path}/step-outputs`, { stepId: 's', output: 1 });
    const second = await server.post(`${path}/restore`, { version: 2 }, key);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect((await server.get(path)).body._version).toBe(8);
  });

  it('cannot be an event of a batch', async () => {
    const path = await story('batched');
    const events = [{ type: 'ContextRestored', data: { version: 1 } }];
    expect((await server.post(`${path}/events`, { events })).status).toBe(422);
  });
});

describe('forking a context', () => {
  it('creates a separate context with the state of its source', async () => {
    const source = await story('source');
    const { status, body, headers } = await server.post(`${source}/forks`, {
      atVersion: 5,
      contextId: 'fork',
    });
    expect([status, headers['etag'], headers['location']]).toEqual([
      201,
      '"1"',
      '/v1/contexts/fork',
    ]);
    expect(body).toMatchObject({ contextId: 'fork', version: 1 });
    const listed = await server.get('/v1/contexts?limit=1');
    expect(listed.body.items[0]).toMatchObject({ contextId: 'fork', title: 'Checkout', events: 1 });
    for (const wait of [async () => undefined, projected]) {
      await wait();
      const fork = await server.get('/v1/contexts/fork');
      expect(fork.body).toMatchObject({
        title: 'Checkout',
        status: 'open',
        _version: 1,
        stepOutputs: { plan: 2 },
        userPreferences: { tone: 'dry' },
        decisionHistory: [{ decisionId: 'DEC-001', version: 1 }],
        size: { events: 1 },
      });
      expect((await server.get('/v1/contexts/fork/checkpoints')).body.items).toEqual([]);
      const outputs = await server.get('/v1/contexts/fork/step-outputs/plan?all=true&limit=1');
      expect(outputs.body.items).toMatchObject([{ output: 1, version: 1 }]);
      const { nextCursor } = outputs.body;
      const remainder = await server.get(
        `/v1/contexts/fork/step-outputs/plan?all=true&cursor=${nextCursor}`,
      );
      expect(remainder.body).toMatchObject({
        items: [{ output: 2, version: 1 }],
        nextCursor: null,
      });
    }
  });

  it('separates the two contexts, while ids continue from the source', async () => {
    const source = await story('kept');
    await server.post(`${source}/forks`, { atVersion: 6, contextId: 'apart' });
    const before = await server.get('/v1/contexts/apart');
    await server.post(`${source}/restore`, { version: 1 });
    await server.call('PATCH', `${source}/preferences`, { body: { tone: null } });
    await projected();
    expect((await server.get('/v1/contexts/apart')).body).toEqual(before.body);
    const decided = await server.post('/v1/contexts/apart/decisions', {
      decision: 'PostgreSQL',
      supersedes: 'DEC-001',
    });
    expect(decided.body).toMatchObject({ decisionId: 'DEC-003', version: 2 });
    await server.call('PATCH', '/v1/contexts/apart/preferences', { body: { tone: null } });
    await projected();
    const { body } = await server.get('/v1/contexts/apart');
    expect(body.userPreferences).toEqual({});
    expect(body.decisionHistory).toMatchObject([
      { decisionId: 'DEC-001', live: false, supersededBy: 'DEC-003' },
      { decisionId: 'DEC-002', live: true },
      { decisionId: 'DEC-003', live: true },
    ]);
    expect((await server.get('/v1/contexts/apart?asOf=1')).body).toEqual(before.body);
  });

  it('works from a closed context, from a fork, and without an id', async () => {
    const source = await story('ended');
    await server.post(`${source}/close`);
    const first = await server.post(`${source}/forks`, { atVersion: 7 });
    const path = `/v1/contexts/${first.body.contextId}`;
    expect((await server.get(path)).body.status).toBe('open');
    await server.post(`${path}/step-outputs`, { stepId: 'own', output: 3 });
    const second = await server.post(`${path}/forks`, { atVersion: 2 });
    const { body } = await server.get(`/v1/contexts/${second.body.contextId}`);
    expect(Object.entries(body.stepOutputs)).toEqual([
      ['plan', 2],
      ['own', 3],
    ]);
    const { body: parent } = await server.get(path);
    expect(without({ ...body, contextId: '', createdAt: '' })).toEqual(
      without({ ...parent, contextId: '', createdAt: '' }),
    );
  });

  it('answers a repeated key with its first fork', async () => {
    const source = await story('again');
    const key = { headers: { 'idempotency-key': 'fork-once' } };
    const first = await server.post(`${source}/forks`, { atVersion: 2 }, key);
    const second = await server.post(`${source}/forks`, { atVersion: 2 }, key);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    const other = await server.post(`${source}/forks`, { atVersion: 3 }, key);
    expect([other.status, other.body.type]).toEqual([422, '/problems/idempotency-key-reused']);
  });

  it('is refused beyond the head, for an existing id, and for a stale version', async () => {
    const source = await story('limits');
    const beyondHead = await server.post(`${source}/forks`, { atVersion: 99 });
    expect([beyondHead.status, beyondHead.body.type]).toEqual([422, '/problems/invalid-position']);
    expect(beyondHead.body.errors).toMatchObject([{ pointer: '/atVersion' }]);
    const existing = await server.post(`${source}/forks`, { atVersion: 1, contextId: 'limits' });
    expect([existing.status, existing.body.type]).toEqual([409, '/problems/context-exists']);
    const stale = await server.post(`${source}/forks`, { atVersion: 1 }, ifMatch('"2"'));
    expect([stale.status, stale.body.currentVersion]).toEqual([412, 6]);
  });

  it('requires reach of the source and of the fork', async () => {
    const source = await story('walled');
    const outsideKey = await server.key({ role: 'agent', agentId: 'o', contexts: ['elsewhere'] });
    const insideKey = await server.key({
      role: 'agent',
      agentId: 'i',
      contexts: ['walled', 'walled-2'],
    });
    const fork = (contextId: string, key: string) =>
      server.post(`${source}/forks`, { atVersion: 1, contextId }, { key });
    expect((await fork('elsewhere', outsideKey)).status).toBe(404);
    expect((await fork('walled-3', insideKey)).status).toBe(403);
    expect((await fork('walled-2', insideKey)).status).toBe(201);
  });
});

describe('the command line', () => {
  const run = (...args: readonly string[]) =>
    throughlineOn(server, args, { THROUGHLINE_DATA_DIR: join(directory, 'none') });

  it('names, lists, restores and forks versions', async () => {
    const path = await story('typed');
    expect((await run('checkpoint', 'create', 'typed', 'before Redis')).out).toBe(
      'checkpoint before Redis of typed',
    );
    expect((await run('checkpoint', 'list', 'typed')).out).toMatch(/^before Redis +6 /m);
    await server.post(`${path}/step-outputs`, { stepId: 'plan', output: 'Redis' });
    expect((await run('context', 'restore', 'typed', '--checkpoint', 'before Redis')).out).toBe(
      'restored typed to before Redis, version 9',
    );
    expect((await run('context', 'fork', 'typed', 'typed-too')).out).toBe(
      'forked typed at version 9 as typed-too',
    );
    expect((await run('context', 'fork', 'typed', '--at', '2')).out).toMatch(
      /^forked typed at version 2 as [0-9a-f-]{36}$/,
    );
    const { body } = await server.get('/v1/contexts/typed-too');
    expect(body.stepOutputs).toEqual({ plan: 2 });
    expect((await run('context', 'restore', 'typed')).code).toBe(2);
  });
});

describe('the events of one request', () => {
  const asOf = (path: string, version: number) => server.get(`${path}?asOf=${version}`);
  const event = (type: string, data: object) => ({ type, data });
  /** Creates a context: versions 2 to 4 are one write, 5 and 6 are one each. */
  async function batched(contextId: string, headers = {}): Promise<string> {
    const path = await server.context(contextId);
    const events = [
      event('PreferencesSet', { values: { tone: 'dry' } }),
      event('StepOutputAdded', { stepId: 'plan', output: 1 }),
      event('TaskPlanned', { taskId: 't', title: 't' }),
    ];
    const { body } = await server.post(`${path}/events`, { events, agentId: 'pm' }, { headers });
    expect(body.version).toBe(4);
    await server.post(`${path}/step-outputs`, { stepId: 'plan', output: 2 });
    await server.post(`${path}/step-outputs`, { stepId: 'plan', output: 3 });
    return path;
  }
  const insideAppend = { type: '/problems/inside-append', before: 1, end: 4 };

  it.each([{}, { 'idempotency-key': 'k' }])(
    'are one unit to readers, with the headers %j',
    async (headers) => {
      const path = await batched(`moment-${Object.keys(headers).length}`, headers);
      for (const version of [2, 3])
        for (const part of ['', '/view', '/decisions', '/events', '/step-outputs/plan', '/check']) {
          const { status, body } = await server.get(`${path}${part}?asOf=${version}`);
          expect([part, status, body]).toEqual([part, 409, expect.objectContaining(insideAppend)]);
        }
      for (const version of [1, 4, 5, 6])
        expect((await asOf(path, version)).body._version).toBe(version);
      const { body: page } = await server.get(`${path}/events?limit=2&after=1`);
      expect(page.items.map(({ version }: { version: number }) => version)).toEqual([2, 3]);
      expect((await server.get(`${path}/diff?from=2&to=3`)).status).toBe(200);
      expect((await server.get(`${path}/changes?since=3`)).status).toBe(200);
      const past = await asOf(path, page.items[0].recordedAt);
      expect(past.status === 200 ? past.body._version : 0).toBeGreaterThanOrEqual(4);
    },
  );

  it('cannot be split by a restore or a fork, and a checkpoint in them is at their end', async () => {
    const path = await batched('gone-back');
    for (const [verb, body] of [
      ['restore', { version: 3 }],
      ['forks', { atVersion: 3, contextId: 'gone-fork' }],
    ] as const) {
      const refused = await server.post(`${path}/${verb}`, body);
      expect([refused.status, refused.body]).toEqual([409, expect.objectContaining(insideAppend)]);
    }
    const forked = await server.post(`${path}/forks`, {
      checkpoint: 'after:pm',
      contextId: 'gone-fork',
    });
    expect(forked.status).toBe(201);
    const restored = await server.post(`${path}/restore`, { checkpoint: 'after:pm' });
    expect(restored.status).toBe(201);
    for (const at of [path, '/v1/contexts/gone-fork'])
      expect((await server.get(at)).body).toMatchObject({
        stepOutputs: { plan: 1 },
        tasks: [{ taskId: 't' }],
      });
    const { body } = await server.get(`${path}/events?after=6`);
    expect(body.items[0].data).toEqual({ version: 4 });
  });

  it('are one unit after an import as another context', async () => {
    const path = await batched('exported');
    const { text } = await server.get(`${path}/export?format=events-jsonl`);
    const target = { workspace: server.workspaceNamed('elsewhere') };
    const headers = { 'content-type': 'application/x-ndjson', ...target };
    const imports = '/v1/imports?format=events-jsonl&as=another';
    expect((await server.call('POST', imports, { text, headers })).status).toBe(200);
    const documentAt = (version: number) =>
      server.get(`/v1/contexts/another?asOf=${version}`, { headers: target });
    expect((await documentAt(3)).body).toMatchObject(insideAppend);
    expect((await documentAt(4)).status).toBe(200);
  });
});

function ifMatch(version: string) {
  return { headers: { 'if-match': version } };
}
