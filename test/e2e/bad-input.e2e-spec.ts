import { problemCodes } from '../../apps/api/src/problems/problem-code.js';
import { problemTable } from '../../apps/api/src/problems/problem-table.js';
import { type CallOptions, type Reply, rootKey, ThroughlineServer } from './throughline-server.js';
import { sendRaw } from './raw-request.js';

let server: ThroughlineServer;
const path = '/v1/contexts/bad-input';

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  await server.context('bad-input');
}, 120_000);

afterEach(async () => {
  const { body } = await server.get(`${path}/events`);
  expect(body.items).toHaveLength(1);
});

afterAll(() => server.stop());

const revealingWords =
  /node_modules|\.ts\b|\.js\b|at \w+ \(|select |insert into|throughline\.|postgres|\/tmp|ECONN|zod/i;

function expectProblem({ status, headers, body, text }: Reply, code: string) {
  expect([status, body?.type]).toEqual([
    problemTable[code as keyof typeof problemTable].status,
    `/problems/${code}`,
  ]);
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(headers['x-request-id']).toMatch(/^[\x21-\x7e]+$/);
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(body).toMatchObject({
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: expect.any(String),
  });
  expect(text).not.toMatch(revealingWords);
  expect(text).not.toContain(rootKey);
}

const put = { headers: { 'if-match': '"1"' } };
const output = (json: string) => `{"stepId":"s","output":${json}}`;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** Name, expected code, and the body of `POST .../step-outputs`. */
const bodies: readonly [string, string, string | Buffer][] = [
  ['no JSON at all', 'invalid-json', 'hello'],
  ['nothing where a body is needed', 'invalid-json', ''],
  ['white space only', 'invalid-json', ' \n'],
  ['an unfinished object', 'invalid-json', '{"stepId":"s"'],
  ['a trailing comma', 'invalid-json', '{"stepId":"s","output":1,}'],
  ['a comment', 'invalid-json', '{"stepId":"s",/* */"output":1}'],
  ['single quotes', 'invalid-json', "{'stepId':'s'}"],
  ['two values', 'invalid-json', '{"stepId":"s","output":1}{}'],
  ['a byte order mark', 'invalid-json', '\ufeff{"stepId":"s","output":1}'],
  ['NaN', 'invalid-json', output('NaN')],
  ['a leading zero', 'invalid-json', output('01')],
  ['a raw control character in a string', 'invalid-json', output('"\u0001"')],
  ['a half escape', 'invalid-json', output('"\\u12"')],
  ['a duplicate key', 'invalid-json', '{"stepId":"s","stepId":"t","output":1}'],
  ['a duplicate key deep inside', 'invalid-json', output('[{"a":{"b":1,"b":1}}]')],
  ['a duplicate key written two ways', 'invalid-json', output('{"a":1,"\\u0061":2}')],
  ['a duplicate __proto__', 'invalid-json', output('{"__proto__":1,"__proto__":2}')],
  ['bytes that are no UTF-8', 'invalid-json', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ['an overlong UTF-8 form', 'invalid-json', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ['a surrogate in UTF-8', 'invalid-json', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['100,000 unclosed arrays', 'validation-failed', '['.repeat(100_000)],
  ['nesting of 65', 'validation-failed', output(nested(64))],
  ['1e400', 'validation-failed', output('1e400')],
  ['-1e400', 'validation-failed', output('-1e400')],
  ['1e100000', 'validation-failed', output('1e100000')],
  ['1e-400', 'validation-failed', output('1e-400')],
  ['2^53 + 1', 'validation-failed', output('9007199254740993')],
  ['a thousand digits', 'validation-failed', output('1'.repeat(1000))],
  ['an array for an object', 'validation-failed', '[]'],
  ['a string for an object', 'validation-failed', '"s"'],
  ['null for an object', 'validation-failed', 'null'],
  ['a missing output', 'validation-failed', '{"stepId":"s"}'],
  ['a number for an id', 'validation-failed', '{"stepId":1,"output":1}'],
  ['an unknown member', 'validation-failed', '{"stepId":"s","output":1,"outputs":2}'],
  [
    'a __proto__ member beside the payload',
    'validation-failed',
    '{"stepId":"s","output":1,"__proto__":{}}',
  ],
  ['a constructor member', 'validation-failed', '{"stepId":"s","output":1,"constructor":{}}'],
  ['an unknown visibility', 'validation-failed', '{"stepId":"s","output":1,"visibility":"secret"}'],
  ['an empty id', 'validation-failed', '{"stepId":"","output":1}'],
  ['an id with NUL', 'validation-failed', '{"stepId":"a\\u0000","output":1}'],
  ['an id with a line feed', 'validation-failed', '{"stepId":"a\\nb","output":1}'],
  ['an id with C1 controls', 'validation-failed', '{"stepId":"a\\u0085","output":1}'],
  ['an id with a lone surrogate', 'validation-failed', '{"stepId":"\\ud800","output":1}'],
  ['an id of 257 characters', 'validation-failed', `{"stepId":"${'a'.repeat(257)}","output":1}`],
  ['events of more than 1 MiB', 'append-too-large', output(`"${'a'.repeat(1_048_520)}"`)],
];

describe('bodies', () => {
  it.each(bodies)('refuses %s with %s', async (_, code, text) => {
    expectProblem(await server.call('POST', `${path}/step-outputs`, { text }), code);
  });

  it('points to each fault with a JSON pointer (RFC 6901)', async () => {
    const pointers = async (route: string, text: string) => {
      const { body } = await server.call('POST', `${path}/${route}`, { text });
      return body.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await pointers('step-outputs', '{"stepId":1,"x/y":1,"a~b":2}')).toEqual([
      '/stepId',
      '/output',
      '/x~1y',
      '/a~0b',
    ]);
    expect(await pointers('step-outputs', output('{"a":[0,1e999]}'))).toEqual(['/output/a/1']);
    expect(
      await pointers(
        'events',
        '{"events":[{"type":"StepStarted","data":{"stepId":"s"}},{"type":"StepStarted","data":{"stepId":""}},{"type":"Nope","data":{}}]}',
      ),
    ).toEqual(['/events/1/data/stepId', '/events/2/type']);
    expect(
      await pointers(
        'events',
        '{"events":[{"type":"StepStarted","data":{"stepId":"s"}},{"type":"DecisionRecorded","data":{"decision":"d","supersedes":"none"}}]}',
      ),
    ).toEqual(['/events/1/data/supersedes']);
  });

  it('lists 100 faults and states the number of the others', async () => {
    const members = Array.from({ length: 80_000 }, (_, n) => `"m${n}":0`).join();
    const text = `{"stepId":"s","output":1,${members}}`;
    const { body } = await server.call('POST', `${path}/step-outputs`, { text });
    expect(body.errors).toHaveLength(100);
    expect(body).toMatchObject({
      moreErrors: 79_900,
      detail: expect.stringContaining('79999 more'),
    });
  });

  it.each([
    ['artifactIds', 'step-outputs', '"stepId":"s","output":1', '/artifactIds/0'],
    ['relatedRequirements', 'decisions', '"decision":"d"', '/relatedRequirements/0'],
  ])('lists 100 of 130,000 faults in %s', async (member, route, required, first) => {
    const entries = Array.from({ length: 130_000 }, () => '""').join();
    const text = `{${required},"${member}":[${entries}]}`;
    const reply = await server.call('POST', `${path}/${route}`, { text });
    expectProblem(reply, 'validation-failed');
    expect(reply.body.errors).toHaveLength(100);
    expect(reply.body.errors[0].pointer).toBe(first);
    expect(reply.body.moreErrors).toBe(129_900);
    expect(reply.body.detail).toMatch(/ \(and 129999 more\)$/);
  });

  it('lists 100 of 450,000 faults in a batch', async () => {
    const list = Array.from({ length: 450 }, () => '0').join();
    const data = `{"note":"n","to":"a","relatedArtifacts":[${list}],"actionItems":[${list}]}`;
    const events = Array.from({ length: 500 }, () => `{"type":"HandoverNoted","data":${data}}`);
    const text = `{"events":[${events.join()}]}`;
    const reply = await server.call('POST', `${path}/events`, { text });
    expectProblem(reply, 'validation-failed');
    expect(reply.body.errors).toHaveLength(100);
    expect(reply.body.moreErrors).toBe(449_900);
  });

  it('states the line and column of a syntax error', async () => {
    const { body } = await server.call('POST', `${path}/step-outputs`, { text: '{\n "a": x}' });
    expect(body.detail).toContain('line 2, column 7');
  });
});

/** Name, expected code, method and path after that of the context, options. */
const requests: readonly [string, string, string, CallOptions][] = [
  ['a batch of none', 'validation-failed', 'POST /events', { body: { events: [] } }],
  [
    'a batch of 501',
    'validation-failed',
    'POST /events',
    {
      body: {
        events: Array.from({ length: 501 }, () => ({ type: 'StepStarted', data: { stepId: 's' } })),
      },
    },
  ],
  [
    'creation inside a batch',
    'validation-failed',
    'POST /events',
    { body: { events: [{ type: 'ContextCreated', data: {} }] } },
  ],
  ['a merge patch that is no object', 'validation-failed', 'PATCH /preferences', { body: [1] }],
  [
    'a preference name of 257 characters',
    'validation-failed',
    'PATCH /preferences',
    { body: { ['a'.repeat(257)]: 1 } },
  ],
  ['a document that is no object', 'validation-failed', 'PUT ', { body: [], ...put }],
  ['a document without If-Match', 'precondition-required', 'PUT ', { body: {} }],
  [
    'a document with another _version',
    'not-expressible',
    'PUT ',
    { body: { _version: 7 }, ...put },
  ],
  [
    'a step id that differs from the path',
    'validation-failed',
    'POST /steps/a/start',
    { body: { stepId: 'b' } },
  ],
  [
    'a confidence of two',
    'validation-failed',
    'POST /decisions',
    { body: { decision: 'd', confidence: 2 } },
  ],
  [
    'an artifact nowhere',
    'validation-failed',
    'POST /artifacts',
    { body: { artifactId: 'a', artifactType: 't' } },
  ],
  [
    'text for JSON',
    'unsupported-media-type',
    'POST /step-outputs',
    { text: output('1'), headers: { 'content-type': 'text/plain' } },
  ],
  [
    'a form',
    'unsupported-media-type',
    'POST /step-outputs',
    { text: 'stepId=s', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  [
    'an empty content type',
    'unsupported-media-type',
    'POST /step-outputs',
    { text: output('1'), headers: { 'content-type': '' } },
  ],
  [
    'UTF-16',
    'unsupported-media-type',
    'POST /step-outputs',
    { text: output('1'), headers: { 'content-type': 'application/json; charset=utf-16' } },
  ],
  [
    'a compressed body',
    'unsupported-media-type',
    'POST /step-outputs',
    { text: output('1'), headers: { 'content-encoding': 'gzip' } },
  ],
  [
    'a merge patch outside PATCH',
    'unsupported-media-type',
    'POST /step-outputs',
    { text: output('1'), headers: { 'content-type': 'application/merge-patch+json' } },
  ],
  ...['1', '*', '"1', '"01"', '"-1"', '"1","2"', '"1-abc"', '""'].map(
    (tag): [string, string, string, CallOptions] => [
      `If-Match: ${tag}`,
      'invalid-header',
      'POST /close',
      { headers: { 'if-match': tag } },
    ],
  ),
  [
    'an empty Idempotency-Key',
    'invalid-header',
    'POST /close',
    { headers: { 'idempotency-key': '' } },
  ],
  [
    'a long Idempotency-Key',
    'invalid-header',
    'POST /close',
    { headers: { 'idempotency-key': 'k'.repeat(256) } },
  ],
  [
    'an Idempotency-Key with a space',
    'invalid-header',
    'POST /close',
    { headers: { 'idempotency-key': 'a b' } },
  ],
  ['an unknown Trust', 'invalid-header', 'POST /close', { headers: { trust: 'blind' } }],
  [
    'a Correlation-Id with a tab',
    'invalid-header',
    'POST /close',
    { headers: { 'correlation-id': 'a\tb' } },
  ],
  ['a Workspace with a slash', 'invalid-header', 'POST /close', { headers: { workspace: 'a/b' } }],
  ['a limit of zero', 'validation-failed', 'GET /events?limit=0', {}],
  ['a limit of 501', 'validation-failed', 'GET /events?limit=501', {}],
  ['a limit in words', 'validation-failed', 'GET /events?limit=many', {}],
  ['a limit given twice', 'validation-failed', 'GET /events?limit=1&limit=2', {}],
  ['a negative after', 'validation-failed', 'GET /events?after=-1', {}],
  [
    'an after beyond all integers',
    'validation-failed',
    'GET /events?after=99999999999999999999',
    {},
  ],
  ['a cursor of its own making', 'validation-failed', 'GET /events?cursor=abc', {}],
  [
    'another cursor of its own making',
    'validation-failed',
    `GET /events?cursor=${Buffer.from('["1","2"]').toString('base64url')}`,
    {},
  ],
  ['an unknown parameter', 'validation-failed', 'GET /events?first=1', {}],
  ['__proto__ as a parameter', 'validation-failed', 'GET /events?__proto__=1', {}],
  ['a query that is no UTF-8', 'validation-failed', 'GET /decisions?topic=%ff', {}],
  ['a wait of 61 seconds', 'validation-failed', 'GET /step-outputs/s?wait=61', {}],
  ['a position in words', 'invalid-position', 'GET ?asOf=yesterday', {}],
  ['a time without offset', 'invalid-position', 'GET ?asOf=2026-01-01T00:00:00', {}],
  ['a time in the year 0', 'invalid-position', 'GET ?asOf=0000-01-01T00:00:00Z', {}],
  ['a step id with NUL', 'validation-failed', 'GET /step-outputs/a%00', {}],
  ['a step id of 257 characters', 'validation-failed', `GET /step-outputs/${'a'.repeat(257)}`, {}],
  ['a step id that is no UTF-8', 'validation-failed', 'GET /step-outputs/%ff', {}],
  ['a path cut inside an escape', 'validation-failed', 'GET /step-outputs/a%2', {}],
  [
    'a path of 10,000 characters',
    'validation-failed',
    `GET /step-outputs/${'a'.repeat(10_000)}`,
    {},
  ],
  ['an unknown decision', 'not-found', 'POST /decisions/DEC-404/approve', {}],
  ['an unknown collection', 'not-found', 'GET /nothing', {}],
  ['an unknown method', 'not-found', 'DELETE ', {}],
];

const issue = { artifact: 'a.md', status: 'BLOCKED' };
const record = { kind: 'custom' };

/** Route, body, and the pointer to the fault. */
const blankTexts: readonly [string, object, string][] = [
  ['step-outputs', { stepId: ' ', output: 1 }, '/stepId'],
  ['step-outputs', { stepId: '.', output: 1 }, '/stepId'],
  ['step-outputs', { stepId: 's', output: 1, name: '..' }, '/name'],
  ['step-outputs', { stepId: 's', output: 1, artifactIds: ['a', '..'] }, '/artifactIds/1'],
  ['step-outputs', { stepId: 's', output: 1, agentId: '\u3164' }, '/agentId'],
  ['steps/%20/start', {}, '/stepId'],
  ['steps/s/fail', { reason: '\t' }, '/reason'],
  ['decisions', { decision: '   ' }, '/decision'],
  ['decisions', { decision: 'd', decisionId: '..' }, '/decisionId'],
  ['decisions', { decision: 'd', topic: '\u00a0' }, '/topic'],
  ['handovers', { to: ' ', note: 'n' }, '/to'],
  ['handovers', { to: 'a', from: '.', note: 'n' }, '/from'],
  ['handovers', { to: 'a', note: '\u200b\u2060' }, '/note'],
  ['tasks', { title: '\n' }, '/title'],
  ['tasks/t/block', { reason: ' ' }, '/reason'],
  ['artifacts', { artifactType: 't', path: ' ' }, '/path'],
  ['artifacts', { artifactType: ' ', uri: 'x:y' }, '/artifactType'],
  ['requirements', { kind: 'functional', text: '\u2003' }, '/text'],
  ['risks', { severity: 'low', description: ' ' }, '/description'],
  ['dependencies', { name: ' ', kind: 'external' }, '/name'],
  ['blockers', { description: '\u00ad' }, '/description'],
  ['reviews', { ...issue, artifact: ' ' }, '/artifact'],
  ['reviews', { ...issue, participants: [' '] }, '/participants/0'],
  ['reviews', { ...issue, keyIssues: [{ text: 'a' }, { text: ' ' }] }, '/keyIssues/1/text'],
  ['records', { ...record, body: ' \n ' }, '/body'],
  ['records', { ...record, body: 'b', recordId: '.' }, '/recordId'],
  ['signals', { signal: 'REVIEW PASSED', subject: ' ' }, '/subject'],
  ['signals', { signal: 'REVIEW FAILED', subject: 's', detail: { reason: ' ' } }, '/detail/reason'],
  ['iterations', { subject: '..' }, '/subject'],
  ['phases/%20/start', {}, '/phase'],
  ['input-requests', { path: ' ', from: 'a' }, '/path'],
  ['input-requests', { path: 'p', from: ' ' }, '/from'],
  ['checkpoints', { name: '..' }, '/name'],
  ['forks', { atVersion: 1, contextId: '..' }, '/contextId'],
  [
    'events',
    { events: [{ type: 'HandoverNoted', data: { to: 'a', note: ' ' } }] },
    '/events/0/data/note',
  ],
];

describe('texts without a visible character, and ids that cannot be in paths', () => {
  it.each(blankTexts)('are refused by POST .../%s: %j', async (route, sent, pointer) => {
    const response = await server.post(`${path}/${route}`, sent);
    expectProblem(response, 'validation-failed');
    expect(response.body.errors).toMatchObject([{ pointer }]);
    expect(response.body.detail).toMatch(/: (choose|send)|if there are no fields/);
  });

  it.each(['', ' ', '\u3164'])('are refused as the title of a new context: %j', async (title) => {
    const response = await server.post('/v1/contexts', { contextId: 'blank-title', title });
    expectProblem(response, 'validation-failed');
    expect(response.body.errors).toMatchObject([
      { pointer: '/title', detail: expect.stringContaining('must have a visible character') },
    ]);
    expect((await server.get('/v1/contexts/blank-title')).status).toBe(404);
  });

  it.each(['.', '..'])('are refused as the id of a context, an agent and a key: %s', async (id) => {
    const definition = { name: 'A', role: 'r', kind: 'llm' };
    for (const [route, sent, pointer] of [
      ['/v1/contexts', { contextId: id }, '/contextId'],
      ['/v1/agents', { ...definition, agentId: id }, '/agentId'],
      ['/v1/agents', { ...definition, agentId: 'a', name: ' ' }, '/name'],
      ['/v1/agents', { ...definition, agentId: 'a', role: ' ' }, '/role'],
      ['/v1/keys', { role: 'agent', agentId: id }, '/agentId'],
    ] as const) {
      const response = await server.post(route, sent);
      expectProblem(response, 'validation-failed');
      expect(response.body.errors).toMatchObject([{ pointer }]);
    }
  });

  it('are refused in a document, with a pointer into the document', async () => {
    const handoverNotes = [{ to: 'a', note: ' ' }];
    const records = [{ kind: 'custom', body: ' ' }];
    const body = { handoverNotes, records, stepOutputs: { '.': 1 }, _version: 1 };
    const response = await server.call('PUT', path, { body });
    expectProblem(response, 'not-expressible');
    expect(response.body.errors).toMatchObject([
      { pointer: '/handoverNotes/0/note' },
      { pointer: '/records/0/body' },
      { pointer: '/stepOutputs/.' },
    ]);
  });
});

/** Route, body, the reason of the refusal, and the advice in it. */
const unknownNames: readonly [string, object, string, string][] = [
  ['tasks', { title: 't', dependsOn: ['none'] }, 'names no task of this context', 'plan that task'],
  [
    'reviews',
    { artifact: 'a', status: 'APPROVED', addresses: ['none'] },
    'names no issue of this context',
    'openIssues',
  ],
  [
    'decisions',
    { decision: 'd', supersedes: 'none' },
    'names no decision of this context',
    'decisionHistory',
  ],
  ['tasks/none/start', {}, 'there is no task "none" in this context', 'tasks'],
  ['decisions/none/approve', {}, 'there is no decision "none" in this context', 'decisionHistory'],
  ['handovers/none/acknowledge', {}, 'there is no handover "none"', 'handoverNotes'],
  ['input-requests/none/provide', {}, 'there is no input request "none"', 'inputRequests'],
  ['circuit-breakers/none/reset', {}, 'there is no circuit breaker "none"', 'circuitBreakers'],
  ['risks/none', { status: 'closed' }, 'there is no risk "none" in this context', 'risks'],
  ['blockers/none/clear', {}, 'there is no blocker "none"', 'dependencies.blockers'],
];

describe('ids of items that do not exist', () => {
  it.each(unknownNames)('are refused by POST .../%s: %j', async (route, sent, wrong, next) => {
    const { status, body } = await server.post(`${path}/${route}`, sent);
    expect([404, 422]).toContain(status);
    expect(body.detail).toContain(wrong);
    expect(body.detail.slice(body.detail.indexOf(wrong) + wrong.length)).toContain(next);
  });

  it('are refused with the nearest valid versions if the version is inside one write', async () => {
    const scopedPath = await server.context('inside-one-write');
    const events = ['a', 'b', 'c'].map((stepId) => ({ type: 'StepStarted', data: { stepId } }));
    await server.post(`${scopedPath}/events`, { events });
    const { status, body } = await server.get(`${scopedPath}?asOf=3`);
    expect([status, body.before, body.end]).toEqual([409, 1, 4]);
    expect(body.detail).toContain('name version 1 or 4 instead');
  });
});

describe('a document with members that contradict the context', () => {
  it('is refused with the cause if its version is the ETag of a filtered copy', async () => {
    const { headers } = await server.get(`${path}?audience=developer`);
    const put = (tag: string) =>
      server.call('PUT', path, { body: { title: 'other' }, headers: { 'if-match': tag } });
    const reply = await put(String(headers['etag']));
    expectProblem(reply, 'not-expressible');
    expect(reply.body.detail).toMatch(/^\/title: .*; If-Match names a copy for an audience/);
    expect((await put('"1"')).body.detail).not.toContain('If-Match');
  });

  it.each([
    [
      {
        tasks: [
          { taskId: 'N', title: '1' },
          { taskId: 'N', title: '2' },
        ],
      },
      '/tasks/1/taskId',
      /: choose another id/,
    ],
    [{ completedPhases: [{ phase: '.' }] }, '/completedPhases/0/phase', /: choose another id/],
    [
      { decisionHistory: [{ decision: 'd', topic: '..' }] },
      '/decisionHistory/0/topic',
      /: choose another id/,
    ],
    [
      { tasks: [{ title: 't', dependsOn: ['none'] }] },
      '/tasks/0/dependsOn/0',
      /: plan that task first, or leave it out/,
    ],
    [{ handoverNotes: [{ to: 'Admin', note: 'n' }] }, '/handoverNotes/0/to', /principal/],
  ])('is refused with a pointer to the fault: %j', async (document, pointer, detail) => {
    const response = await server.call('PUT', path, { body: { ...document, _version: 1 } });
    expectProblem(response, 'validation-failed');
    expect(response.body.errors).toEqual([{ pointer, detail: expect.stringMatching(detail) }]);
  });
});

describe('requests', () => {
  it.each(requests)('refuses %s with %s', async (_, code, what, options) => {
    const [method = '', rest = ''] = what.split(' ', 2);
    expectProblem(await server.call(method, path + rest, options), code);
  });

  it.each(['a b', 'a/b', 'ä', 'a'.repeat(129), '..%2F..%2Fetc%2Fpasswd', "';drop table events--"])(
    'refuses the context id %j in paths and bodies',
    async (contextId) => {
      const inPath = `/v1/contexts/${contextId.includes('%') ? contextId : encodeURIComponent(contextId)}`;
      expectProblem(await server.get(inPath), 'validation-failed');
      expectProblem(await server.post(`${inPath}/close`), 'validation-failed');
      expectProblem(await server.post('/v1/contexts', { contextId }), 'validation-failed');
    },
  );

  it('answers 404 or 422 to a version that exceeds every number', async () => {
    const asOf = `asOf=${'9'.repeat(400)}`;
    expectProblem(await server.get(`/v1/contexts/none?${asOf}`), 'context-not-found');
    expectProblem(await server.get(`${path}?${asOf}`), 'invalid-position');
  });

  it.each([
    ['q', '%00%3F', 'contains no word to search for'],
    ['q', '%22', 'contains no word to search for'],
    ['contains', 'x', 'must be JSON'],
    ['contains', '%7B%22title%22%3A%22%00%22%7D', 'must be JSON'],
    ['contains', '%7B%22toString%22%3A1%7D', '"toString" is not searched'],
  ])('states the fault of ?%s=%s', async (name, text, detail) => {
    const reply = await server.get(`/v1/contexts?${name}=${text}`);
    expectProblem(reply, 'validation-failed');
    expect(reply.body.errors).toMatchObject([{ pointer: `/${name}` }]);
    expect(reply.body.detail).toContain(detail);
  });

  // Sends the head only: the server answers before the body, and a client that still writes may find the connection
  // closed.
  it.each([
    ['a body of more than 1 MiB', 'POST', '/step-outputs', 1_048_577],
    ['a document of more than 16 MiB', 'PUT', '', 16 * 1_048_576 + 1],
  ])('refuses %s by its announced length', async (_what, method, subPath, length) => {
    const head = [
      `${method} ${path}${subPath} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${rootKey}`,
      'Content-Type: application/json',
      'If-Match: "1"',
      `Content-Length: ${length}`,
    ];
    const answer = await sendRaw(server.url, `${head.join('\r\n')}\r\n\r\n`);
    expectProblem(answer, 'payload-too-large');
  });

  it('refuses invalid keys, grants and settings', async () => {
    for (const grant of [
      {},
      { role: 'king' },
      { role: 'agent', expiresAt: 'soon' },
      { role: 'agent', expiresAt: '0000-01-01T00:00:00Z' },
      { role: 'agent', expiresAt: '0001-01-01T00:00:00+23:59' },
      { role: 'agent', expiresAt: '9999-12-31T23:59:59-23:59' },
      { role: 'agent', expiresAt: '2020-01-01T00:00:00Z' },
      { role: 'agent', audiences: [] },
      { role: 'agent', workspace: 'a:b' },
      { role: 'agent', secret: 'mine' },
    ])
      expectProblem(await server.post('/v1/keys', grant), 'validation-failed');
    expectProblem(await server.call('DELETE', '/v1/keys/none'), 'not-found');
    expectProblem(
      await server.call('PATCH', '/v1/settings', { body: { agentsMayClose: 1 } }),
      'validation-failed',
    );
    expectProblem(
      await server.call('PATCH', '/v1/settings', { body: { unknown: 1 } }),
      'validation-failed',
    );
  });

  it('points to an expiry in the past', async () => {
    const { body } = await server.post('/v1/keys', {
      role: 'agent',
      expiresAt: '2020-01-01T00:00:00Z',
    });
    expect(body.errors).toEqual([{ pointer: '/expiresAt', detail: expect.any(String) }]);
  });

  it.each(['admin', 'key:', 'key:0190'])('refuses %s as the name of an agent', async (agentId) => {
    const pointersOf = async (where: string, body: object) => {
      const reply = await server.post(where, body);
      expectProblem(reply, 'validation-failed');
      return reply.body.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    const events = [{ type: 'StepStarted', data: { stepId: 's' } }];
    expect(await pointersOf('/v1/keys', { role: 'agent', agentId })).toEqual(['/agentId']);
    expect(await pointersOf('/v1/keys', { role: 'agent', actsFor: ['a', agentId] })).toEqual([
      '/actsFor/1',
    ]);
    expect(await pointersOf('/v1/contexts', { agentId })).toEqual(['/agentId']);
    expect(await pointersOf(`${path}/steps/s/start`, { agentId })).toEqual(['/agentId']);
    expect(await pointersOf(`${path}/events`, { events, agentId })).toEqual(['/agentId']);
  });

  it.each([null, '', 'wrong', `${rootKey}x`])(
    'refuses the key %j before it reads the body',
    async (key) => {
      const reply = await server.call('POST', `${path}/step-outputs`, { key, text: '{' });
      expectProblem(reply, 'unauthenticated');
      expect(reply.headers['www-authenticate']).toBe('Bearer');
      expectProblem(await server.get('/v1/nothing', { key }), 'unauthenticated');
      expectProblem(await server.get('/%76%31/contexts', { key }), 'unauthenticated');
    },
  );
});

/** Name, expected code and the bytes of the request. */
const messages: readonly [string, string, string][] = [
  ['no HTTP', 'invalid-header', 'hello\r\n\r\n'],
  [
    'headers of 17 KiB',
    'invalid-header',
    `GET /docs HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(17_408)}\r\n\r\n`,
  ],
  [
    'a Content-Length in words',
    'invalid-header',
    'POST /v1/contexts HTTP/1.1\r\nHost: localhost\r\nContent-Length: two\r\n\r\n',
  ],
  [
    'two lengths',
    'invalid-header',
    'POST /v1/contexts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a tunnel', 'not-found', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n'],
  ['no Host', 'invalid-header', 'GET /v1/me HTTP/1.1\r\n\r\n'],
];

/** Names of members that other systems and older documents use, and the corresponding name in this API. */
const nearNames: readonly [string, string, string, unknown, string, string][] = [
  [
    'a decision',
    'POST',
    `${path}/decisions`,
    { decision: 'd', reasoning: 'r' },
    '/reasoning',
    'rationale',
  ],
  [
    'a decision',
    'POST',
    `${path}/decisions`,
    { decision: 'd', trade_offs: 't' },
    '/trade_offs',
    'tradeOffs',
  ],
  [
    'a decision',
    'POST',
    `${path}/decisions`,
    { decision: 'd', made_by: 'a' },
    '/made_by',
    'agentId',
  ],
  [
    'a handover',
    'POST',
    `${path}/handovers`,
    { to: 'a', note: 'n', action_items: [] },
    '/action_items',
    'actionItems',
  ],
  [
    'an event of a batch',
    'POST',
    `${path}/events`,
    { events: [{ type: 'DecisionRecorded', data: { decision: 'd', reasoning: 'r' } }] },
    '/events/0/data/reasoning',
    'rationale',
  ],
  [
    'a contract',
    'PUT',
    '/v1/agents/near-names',
    {
      name: 'n',
      role: 'r',
      kind: 'llm',
      contract: { inputs: { i: { path: 'metadata.a', min_length: 5 } } },
    },
    '/contract/inputs/i/min_length',
    'minLength',
  ],
  [
    'a contract',
    'PUT',
    '/v1/agents/near-names',
    {
      name: 'n',
      role: 'r',
      kind: 'llm',
      contract: { inputs: { i: { path: 'metadata.a', required_data: ['a'] } } },
    },
    '/contract/inputs/i/required_data',
    'requiredSections',
  ],
  ['a query', 'GET', `${path}/view?max_tokens=5`, undefined, '/max_tokens', 'maxTokens'],
];

describe('unknown members', () => {
  it.each(nearNames)('of %s (%s %s) are answered with the similar name', async (...row) => {
    const [, method, target, body, pointer, suggestion] = row;
    const reply = await server.call(method, target, { body });
    expectProblem(reply, 'validation-failed');
    expect(reply.body.errors).toEqual([
      { pointer, suggestion, detail: `is not known here: did you mean "${suggestion}"?` },
    ]);
  });

  it('of many events are checked only for the faults that the answer lists', async () => {
    const unknown = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`${'unknown-member-'.repeat(4)}${n}`, n]),
    );
    const data = { decision: 'd', reason: 'r', result: 1, ...unknown };
    const events = Array.from({ length: 100 }, () => ({ type: 'DecisionRecorded', data }));
    const { body } = await server.post(`${path}/events`, { events });
    expect([body.errors.length, body.moreErrors]).toEqual([100, 100 * 102 - 100]);
    // A suggestion is never a member of another type of event, nor the unknown name itself.
    expect(body.errors[0]).toEqual({
      pointer: '/events/0/data/reason',
      detail: 'is not known here: did you mean "rationale"?',
      suggestion: 'rationale',
    });
    expect(body.errors[1]).not.toHaveProperty('suggestion');
  });

  it('of a document that is written back are answered with the similar name', async () => {
    const body = { decisionHistory: [{ decision: 'd', reasoning: 'r' }] };
    const reply = await server.call('PUT', path, { ...put, body });
    expectProblem(reply, 'not-expressible');
    expect(reply.body.errors).toEqual([
      {
        pointer: '/decisionHistory/0/reasoning',
        detail: 'cannot be stated here: did you mean "rationale"?',
        suggestion: 'rationale',
      },
    ]);
  });
});

describe('raw requests', () => {
  it.each(messages)('answers %s with %s', async (_, code, message) => {
    expectProblem(await sendRaw(server.url, message), code);
  });

  it('refuses a body larger than 1 MiB with an unannounced length', async () => {
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`.repeat(17);
    const head = `POST ${path}/step-outputs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${rootKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expectProblem(await sendRaw(server.url, `${head}${chunk}0\r\n\r\n`), 'payload-too-large');
  });

  it('ignores an unknown value of Expect', async () => {
    const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${rootKey}\r\nWorkspace: ${server.workspace}\r\nExpect: miracles\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(server.url, head)).status).toBe(200);
  });
});

describe('problem pages', () => {
  it.each([...problemCodes])('explain %s', async (code) => {
    const { status, headers, text } = await server.get(`/problems/${code}`, { key: null });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain('What to do');
  });

  it('exist for known codes only', async () => {
    expectProblem(await server.get('/problems/nope', { key: null }), 'not-found');
    expectProblem(await server.get('/problems/__proto__', { key: null }), 'not-found');
  });
});
