import { type Reply, rootKey, ThroughlineServer } from './throughline-server.js';

const roles = ['agent', 'operator', 'auditor', 'admin'] as const;
type Role = (typeof roles)[number];

/**
 * The roles that may call a route, and the request. `inContext` routes name a context, so that other workspaces get
 * 404.
 */
type Rule = Readonly<{
  allowed: readonly Role[];
  body?: unknown;
  /** Sent as lines of JSON. */
  lines?: string;
  ifMatch?: string;
  query?: string;
  /** The target of the request does not exist, so that 404 shows that the caller is authorized. */
  isAbsent?: true;
}>;

const all = roles;
const writers: readonly Role[] = ['agent', 'operator', 'admin'];
const people: readonly Role[] = ['operator', 'admin'];
const admins: readonly Role[] = ['admin'];
/** Admins are excluded: the route concerns all workspaces. */
const rootOnly: readonly Role[] = [];
const output = { stepId: 's', output: 1 };

const agent = { name: 'A', role: 'r', kind: 'llm' };
const transformation = {
  trigger: { agent: 'inspected' },
  sources: { a: 'inspected.outputs.a' },
  operation: { kind: 'propagate' },
  destinations: ['project_metadata.a'],
};

const workflow = { id: 'w', steps: [{ id: 's', type: 'agent', agent: 'inspected' }] };

/** A run of this definition is active in the context. */
const started = { id: 'started', steps: [{ id: 'begun', type: 'agent', agent: 'nobody' }] };

/** Written by hand, so that a change of the table in the code fails here. A route without a rule fails, too. */
const rules: Readonly<Record<string, Rule | 'public'>> = {
  'POST /v1/contexts': { allowed: writers, body: {} },
  'GET /v1/contexts': { allowed: all },
  'GET /v1/contexts/{contextId}': { allowed: all },
  'PUT /v1/contexts/{contextId}': { allowed: writers, body: {}, ifMatch: '"1"' },
  'POST /v1/contexts/{contextId}/close': { allowed: writers },
  'POST /v1/contexts/{contextId}/reopen': { allowed: writers },
  'POST /v1/contexts/{contextId}/step-outputs': { allowed: writers, body: output },
  'GET /v1/contexts/{contextId}/step-outputs/{stepId}': { allowed: all },
  'POST /v1/contexts/{contextId}/steps/{stepId}/start': { allowed: writers },
  'POST /v1/contexts/{contextId}/steps/{stepId}/fail': { allowed: writers, body: { reason: 'r' } },
  'POST /v1/contexts/{contextId}/decisions': { allowed: writers, body: { decision: 'd' } },
  'GET /v1/contexts/{contextId}/decisions': { allowed: all },
  'GET /v1/contexts/{contextId}/items/{ref}': { allowed: all },
  'GET /v1/contexts/{contextId}/decisions/{decisionId}/knowledge': { allowed: all },
  'GET /v1/receipts/{receipt}': { allowed: all },
  'POST /v1/contexts/{contextId}/decisions/{decisionId}/approve': { allowed: people },
  'POST /v1/contexts/{contextId}/decisions/{decisionId}/reject': { allowed: people },
  'POST /v1/contexts/{contextId}/artifacts': {
    allowed: writers,
    body: { artifactId: 'a', artifactType: 't', path: 'p' },
  },
  'GET /v1/contexts/{contextId}/artifacts': { allowed: all },
  'PATCH /v1/contexts/{contextId}/preferences': { allowed: writers, body: { a: 1 } },
  'PATCH /v1/contexts/{contextId}/global-context': { allowed: writers, body: { a: 1 } },
  'POST /v1/contexts/{contextId}/events': {
    allowed: writers,
    body: { events: [{ type: 'StepOutputAdded', data: output }] },
  },
  'GET /v1/contexts/{contextId}/events': { allowed: all },
  'POST /v1/contexts/{contextId}/tasks': { allowed: writers, body: { title: 't' } },
  'POST /v1/contexts/{contextId}/tasks/{taskId}/start': { allowed: writers },
  'POST /v1/contexts/{contextId}/tasks/{taskId}/block': { allowed: writers, body: { reason: 'r' } },
  'POST /v1/contexts/{contextId}/tasks/{taskId}/complete': { allowed: writers },
  'POST /v1/contexts/{contextId}/phases/{phase}/start': { allowed: writers },
  'POST /v1/contexts/{contextId}/phases/{phase}/complete': { allowed: writers },
  'POST /v1/contexts/{contextId}/iterations': { allowed: writers, body: { subject: 's' } },
  'POST /v1/contexts/{contextId}/circuit-breakers/{subject}/reset': { allowed: people },
  'POST /v1/contexts/{contextId}/requirements': {
    allowed: writers,
    body: { kind: 'functional', text: 't' },
  },
  'POST /v1/contexts/{contextId}/risks': {
    allowed: writers,
    body: { severity: 'low', description: 'd' },
  },
  'POST /v1/contexts/{contextId}/risks/{riskId}': {
    allowed: writers,
    body: { status: 'closed' },
  },
  'POST /v1/contexts/{contextId}/dependencies': {
    allowed: writers,
    body: { name: 'n', kind: 'external' },
  },
  'POST /v1/contexts/{contextId}/blockers': { allowed: writers, body: { description: 'd' } },
  'POST /v1/contexts/{contextId}/blockers/{blockerId}/clear': { allowed: writers },
  'POST /v1/contexts/{contextId}/reviews': {
    allowed: writers,
    body: { artifact: 'a', status: 'APPROVED' },
  },
  'POST /v1/contexts/{contextId}/records': {
    allowed: writers,
    body: { kind: 'custom', title: 't', body: 'b' },
  },
  'POST /v1/contexts/{contextId}/handovers': {
    allowed: writers,
    body: { to: 'the-agent', note: 'n' },
  },
  'POST /v1/contexts/{contextId}/handovers/{handoverId}/acknowledge': { allowed: writers },
  'POST /v1/contexts/{contextId}/input-requests': {
    allowed: writers,
    body: { path: 'p', from: 'the-agent' },
  },
  'POST /v1/contexts/{contextId}/input-requests/{inputRequestId}/provide': {
    allowed: writers,
    body: { value: 1 },
  },
  'POST /v1/contexts/{contextId}/signals': {
    allowed: writers,
    body: { text: 'KICKOFF COMPLETE: s-1' },
  },
  'POST /v1/contexts/{contextId}/agents/{agentId}/check': { allowed: writers },
  'POST /v1/contexts/{contextId}/prompt': { allowed: all, body: { template: '{{input}}' } },
  'GET /v1/agents': { allowed: all },
  'POST /v1/agents': { allowed: admins, body: { ...agent, agentId: 'another' } },
  'GET /v1/agents/{agentId}': { allowed: all },
  'PUT /v1/agents/{agentId}': { allowed: admins, body: agent },
  // Only people may read the inbox of another agent.
  'GET /v1/agents/{agentId}/inbox': { allowed: ['operator', 'auditor', 'admin'] },
  'GET /v1/transformations': { allowed: all },
  'GET /v1/transformations/{transformationId}': { allowed: all },
  'PUT /v1/transformations/{transformationId}': { allowed: admins, body: transformation },
  'POST /v1/contexts/{contextId}/transformations/{transformationId}/derive': { allowed: admins },
  'POST /v1/contexts/{contextId}/run': { allowed: writers, body: { definitionId: started.id } },
  'GET /v1/contexts/{contextId}/run': { allowed: all },
  'POST /v1/contexts/{contextId}/run/pause': { allowed: writers },
  'POST /v1/contexts/{contextId}/run/resume': { allowed: writers },
  'POST /v1/contexts/{contextId}/run/cancel': { allowed: writers },
  'POST /v1/work/claim': { allowed: writers, body: { agents: ['the-agent'] } },
  'POST /v1/work/complete': { allowed: writers, body: { attemptToken: 't', output: 1 } },
  'POST /v1/work/fail': { allowed: writers, body: { attemptToken: 't', reason: 'r' } },
  'GET /v1/approvals': { allowed: all },
  'GET /v1/runs': { allowed: all },
  'POST /v1/work/heartbeat': { allowed: writers, body: { attemptToken: 't' } },
  'POST /v1/approvals/{approvalId}/approve': { allowed: people, isAbsent: true },
  'POST /v1/approvals/{approvalId}/reject': { allowed: people, isAbsent: true },
  'POST /v1/approvals/{approvalId}/answer': {
    allowed: people,
    isAbsent: true,
    body: { action: 'retry' },
  },
  'POST /v1/workflows': { allowed: writers, body: workflow },
  'POST /v1/workflows/validate': { allowed: all, body: workflow },
  'GET /v1/workflows': { allowed: all },
  'GET /v1/workflows/{definitionId}': { allowed: all },
  'GET /v1/workflows/{definitionId}/versions/{version}': { allowed: all },
  'POST /v1/contexts/{contextId}/checkpoints': { allowed: writers, body: { name: 'n' } },
  'GET /v1/contexts/{contextId}/checkpoints': { allowed: all },
  'POST /v1/contexts/{contextId}/restore': { allowed: writers, body: { version: 1 } },
  'POST /v1/contexts/{contextId}/forks': { allowed: writers, body: { atVersion: 1 } },
  'GET /v1/contexts/{contextId}/check': { allowed: all },
  'GET /v1/contexts/{contextId}/view': { allowed: all },
  'GET /v1/contexts/{contextId}/diff': { allowed: all, query: '?from=1' },
  'GET /v1/contexts/{contextId}/changes': { allowed: all, query: '?since=1' },
  'GET /v1/events/{eventId}/trace': { allowed: all },
  'GET /v1/stream': { allowed: ['auditor', 'admin'], query: '?after=head' },
  'GET /v1/contexts/{contextId}/stream': { allowed: all },
  'GET /v1/feed': { allowed: ['auditor', 'admin'], query: '?after=start&limit=1' },
  'GET /v1/contexts/{contextId}/verify': { allowed: all },
  'GET /v1/contexts/{contextId}/export': { allowed: all, query: '?format=events-jsonl' },
  'POST /v1/imports': {
    allowed: admins,
    query: '?format=events-jsonl',
    lines:
      '{"format":"throughline.events-jsonl","version":1}\n{"end":{"contexts":0,"events":0,"lastHash":null}}',
  },
  'GET /v1/policies': { allowed: all },
  'GET /v1/policies/{audience}': { allowed: all },
  'PUT /v1/policies/{audience}': { allowed: admins, body: { show: [{ types: ['*'] }] } },
  'POST /v1/keys': { allowed: admins, body: { role: 'agent' } },
  'GET /v1/keys': { allowed: ['auditor', 'admin'] },
  'DELETE /v1/keys/{keyId}': { allowed: admins },
  'GET /v1/me': { allowed: all },
  'GET /v1/settings': { allowed: all },
  'PATCH /v1/settings': { allowed: admins, body: {} },
  'GET /v1/projections': { allowed: rootOnly },
  'POST /v1/projections/{projection}/rebuild': { allowed: rootOnly, body: {} },
  'GET /v1/jobs': { allowed: rootOnly },
  'GET /v1/jobs/{jobId}': { allowed: rootOnly },
  'POST /v1/jobs/{jobId}/cancel': { allowed: rootOnly },
  'POST /v1/jobs/{jobId}/confirm': { allowed: rootOnly },
  'GET /v1/dead-letters': { allowed: rootOnly },
  'POST /v1/dead-letters/{deadLetterId}/retry': { allowed: rootOnly },
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /metrics': 'public',
  'GET /openapi.json': 'public',
  'GET /docs': 'public',
  'GET /schemas/workflow-definition.json': 'public',
  'GET /schemas/work.json': 'public',
  'GET /problems/{code}': 'public',
};

const ruled = Object.entries(rules).flatMap(([route, rule]) =>
  rule === 'public' ? [] : [[route, rule] as const],
);
const open = Object.keys(rules).filter((route) => rules[route] === 'public');
const inContext = ruled.filter(([route]) => route.includes('{contextId}'));

let server: ThroughlineServer;
const keys: Partial<Record<Role, string>> = {};
let foreigner: string;
let pending: string;
let keyId: string;
let eventId: string;
let receipt: string;

beforeAll(async () => {
  server = await ThroughlineServer.start();
  for (const role of roles)
    keys[role] = await server.key({
      role,
      workspace: 'home',
      agentId: `the-${role}`,
      actsFor: role === 'agent' ? [] : ['the-agent'],
    });
  foreigner = await server.key({ role: 'admin', workspace: 'abroad' });
  const key = keys.admin ?? '';
  const path = await server.context('c', { key });
  const pendingDecision = { decision: 'doubt', confidence: 0 };
  pending = (await server.post(`${path}/decisions`, pendingDecision, { key })).body.decisionId;
  receipt = String((await server.get(path, { key })).headers['receipt']);
  eventId = (await server.get(`${path}/events`, { key })).body.items[0].eventId;
  await server.post(`${path}/tasks`, { taskId: 't', title: 'T' }, { key });
  await server.post(`${path}/iterations`, { subject: 'l' }, { key });
  await server.post(`${path}/risks`, { riskId: 'r', severity: 'low', description: 'd' }, { key });
  await server.post(`${path}/blockers`, { blockerId: 'b', description: 'd' }, { key });
  await server.post(`${path}/handovers`, { handoverId: 'h', to: 'the-agent', note: 'n' }, { key });
  const request = { inputRequestId: 'i', path: 'p', from: 'a' };
  await server.post(`${path}/input-requests`, request, { key });
  await server.post('/v1/agents', { ...agent, agentId: 'inspected' }, { key });
  await server.call('PUT', '/v1/transformations/t', { key, body: transformation });
  await server.post('/v1/workflows', workflow, { key });
  keyId = (await server.post('/v1/keys', { role: 'agent' }, { key })).body.keyId;
  await server.post('/v1/workflows', started, { key });
  await server.post(`${path}/run`, { definitionId: started.id }, { key });
}, 120_000);

afterAll(() => server.stop());

function send(route: string, rule: Rule, key: string | null, contextId = 'c'): Promise<Reply> {
  const [method = '', template = ''] = route.split(' ');
  const ids: Record<string, string> = {
    contextId,
    stepId: 's',
    decisionId: pending,
    keyId,
    eventId,
    receipt,
    audience: 'reviewer',
    handoverId: 'h',
    inputRequestId: 'i',
    agentId: 'inspected',
    transformationId: 't',
    definitionId: 'w',
    version: '1',
    taskId: 't',
    subject: 'l',
    riskId: 'r',
    blockerId: 'b',
    ref: 'risk:r',
    approvalId: `${contextId}~none~s~1`,
  };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
  const headers: Record<string, string> = {
    ...(rule.ifMatch && { 'if-match': rule.ifMatch }),
    ...(rule.lines && { 'content-type': 'application/x-ndjson' }),
  };
  const sent = rule.lines === undefined ? { body: rule.body } : { text: rule.lines };
  return server.call(method, path + (rule.query ?? ''), { key, ...sent, headers });
}

describe('authorization', () => {
  it('has a rule for each route of the API, and for no other', async () => {
    const { body } = await server.get('/openapi.json', { key: null });
    const declared = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(declared.sort()).toEqual(Object.keys(rules).sort());
  });

  it.each(open)('%s needs no key', async (route) => {
    const path = route.split(' ')[1]?.replace('{code}', 'forbidden') ?? '';
    expect((await server.get(path, { key: null })).status).toBe(200);
  });

  it.each(ruled)('%s requires a valid key', async (route, rule) => {
    for (const key of [null, 'nobody'])
      expect((await send(route, rule, key)).body).toMatchObject({
        type: '/problems/unauthenticated',
      });
  });

  const byRole = ruled.flatMap(([route, rule]) =>
    roles.map(
      (role) => [role, rule.allowed.includes(role) ? 'may' : 'may not', route, rule] as const,
    ),
  );
  it.each(byRole)('%s %s %s', async (role, may, route, rule) => {
    const { status, body } = await send(route, rule, keys[role] ?? '');
    if (may === 'may not') expect(body).toMatchObject({ type: '/problems/forbidden' });
    else expect([401, 403, 500, ...(rule.isAbsent ? [] : [404])]).not.toContain(status);
  });

  it.each(ruled.filter(([, { allowed }]) => allowed === rootOnly))(
    '%s accepts the root key',
    async (route, rule) => {
      const { status, body } = await send(route, rule, rootKey);
      // The id in the path does not exist.
      if (/\{(jobId|projection|deadLetterId)\}/.test(route))
        expect(body.type).toBe('/problems/not-found');
      else expect(status).toBe(200);
    },
  );

  it.each(inContext)('%s reveals nothing to another workspace', async (route, rule) => {
    const [existing, absent] = [
      await send(route, rule, foreigner),
      await send(route, rule, foreigner, 'none'),
    ];
    expect([existing.status, existing.body.type]).toEqual([404, '/problems/context-not-found']);
    expect(existing.text.replaceAll('/c', '/none')).toBe(absent.text.replaceAll('/c', '/none'));
  });

  it.each(inContext)(
    '%s does not reach the context with a key for other contexts',
    async (route, rule) => {
      for (const limit of [{ contexts: ['other'] }, { workflows: ['other'] }]) {
        const key = await server.key({ role: 'admin', workspace: 'home', ...limit });
        expect((await send(route, rule, key)).body.type).toBe('/problems/context-not-found');
        const outOfLimits = await server.get('/v1/contexts/c?asOf=999', { key });
        expect(outOfLimits.body.type).toBe('/problems/context-not-found');
      }
    },
  );

  it('answers a creation beyond the limits of a key with advice, whether or not the context exists', async () => {
    const key = await server.key({ role: 'agent', workspace: 'home', contexts: ['mine'] });
    const ownContext = { contextId: 'mine' };
    const create = (sent: object) => server.post('/v1/contexts', sent, { key });
    const refused = await Promise.all([
      create({ contextId: 'c' }),
      create({ contextId: 'none' }),
      create({}),
    ]);
    for (const { status, body } of refused)
      expect([status, body.type, body.detail]).toEqual([
        403,
        '/problems/forbidden',
        expect.stringMatching(/its limits name.*GET \/v1\/me/),
      ]);
    expect(new Set(refused.map(({ body }) => body.detail)).size).toBe(1);
    expect((await create(ownContext)).status).toBe(201);
    const fork = await server.post('/v1/contexts/mine/forks', { atVersion: 1 }, { key });
    expect([fork.status, fork.body.detail]).toEqual([403, refused[0]?.body.detail]);
    expect((await create({ contextId: 'c', parent: 'mine' })).body.type).toBe(
      '/problems/context-exists',
    );
    expect((await create({ parent: 'mine' })).status).toBe(201);
  });

  it('returns events and traces of the workspace of the key only, and of contexts in its reach', async () => {
    const limited = await server.key({ role: 'admin', workspace: 'home', contexts: ['other'] });
    for (const key of [foreigner, limited])
      expect((await server.get(`/v1/events/${eventId}/trace`, { key })).body.type).toBe(
        '/problems/not-found',
      );
    for (const key of [foreigner, limited])
      expect((await server.get('/v1/feed', { key })).body.items).toEqual([]);
  });

  it('separates the lists, keys and settings of workspaces', async () => {
    expect((await server.get('/v1/contexts', { key: foreigner })).body.items).toEqual([]);
    expect((await server.get('/v1/keys', { key: foreigner })).text).not.toContain(keyId);
    const revoked = await server.call('DELETE', `/v1/keys/${keyId}`, { key: foreigner });
    expect(revoked.body.type).toBe('/problems/not-found');
    const foreignKey = await server.post(
      '/v1/keys',
      { role: 'admin', workspace: 'home' },
      { key: foreigner },
    );
    expect(foreignKey.body.type).toBe('/problems/forbidden');
  });

  const limits = [
    { contexts: ['c'] },
    { workflows: ['w'] },
    { audiences: ['reviewer'] },
    { contexts: ['c'], audiences: ['all'] },
  ];
  /** Routes that concern all contexts, all keys or all audiences of the workspace. */
  const workspaceWide = ruled.filter(
    ([route, { allowed }]) =>
      allowed === admins && !['POST /v1/keys', 'DELETE /v1/keys/{keyId}'].includes(route),
  );
  /** A route may concern one context only: a key that does not reach the context gets 404. */
  const isInReach = (route: string, limit: object) =>
    !route.includes('{contextId}') || !('workflows' in limit);

  it.each(workspaceWide)('%s refuses admins whose keys have limits', async (route, rule) => {
    for (const limit of limits) {
      const key = await server.key({ role: 'admin', workspace: 'home', ...limit });
      const problem = isInReach(route, limit) ? 'forbidden' : 'context-not-found';
      expect((await send(route, rule, key)).body.type).toBe(`/problems/${problem}`);
    }
  });

  it('lets admins with limits revoke keys within these limits only', async () => {
    const byAdmin = { key: keys.admin ?? '' };
    const unlimited = (await server.post('/v1/keys', { role: 'agent' }, byAdmin)).body.keyId;
    for (const limit of limits) {
      const key = await server.key({ role: 'admin', workspace: 'home', ...limit });
      const created = await server.post('/v1/keys', { role: 'agent', ...limit }, { key });
      const revokedOwn = await server.call('DELETE', `/v1/keys/${created.body.keyId}`, { key });
      const revokedOther = await server.call('DELETE', `/v1/keys/${unlimited}`, { key });
      expect([revokedOwn.status, revokedOther.status]).toEqual([204, 403]);
    }
    const { body } = await server.get('/v1/keys?limit=500', byAdmin);
    const found = body.items.find((one: { keyId: string }) => one.keyId === unlimited);
    expect(found).toMatchObject({ revokedAt: null });
  });

  it('lets only the root key name another workspace', async () => {
    const headers = { workspace: 'home' };
    expect((await server.get('/v1/contexts/c', { headers })).status).toBe(200);
    expect((await server.get('/v1/contexts/c')).status).toBe(404);
    const foreign = await server.get('/v1/contexts/c', { headers, key: foreigner });
    expect(foreign.body.type).toBe('/problems/forbidden');
    const response = await server.get('/v1/contexts/c', { headers, key: keys.agent ?? '' });
    expect(response.status).toBe(200);
  });

  it('refuses a role before it reads the target', async () => {
    const key = keys.auditor ?? '';
    const withoutCondition = await server.call('PUT', '/v1/contexts/none', { key, body: {} });
    expect(withoutCondition.body.type).toBe('/problems/forbidden');
    const withUnknownMember = await server.post('/v1/contexts/none/close', { unknown: 1 }, { key });
    expect(withUnknownMember.body.type).toBe('/problems/validation-failed');
  });
});
