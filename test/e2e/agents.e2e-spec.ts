import { proveHttpPage } from './docs/http-page.js';
import { type CallOptions, ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;
let agentKey: string;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
  agentKey = await server.key({ role: 'agent', agentId: 'pm' });
}, 120_000);

afterAll(() => server.stop());

const manager = {
  name: 'John',
  role: 'product manager',
  persona: 'Asks why before what.',
  kind: 'llm',
  contract: {
    inputs: {
      project_brief: {
        path: 'analyst.outputs.project_brief',
        requiredSections: ['problem_statement', 'target_users', 'core_features'],
        qualityThreshold: 6,
      },
      technical_preferences: { path: 'global_context.technical_preferences', required: false },
    },
    outputs: { prd: { schema: { type: 'object', required: ['user_stories'] } } },
  },
  template: 'Write the PRD for {{project_metadata.name}}.',
};

function put(path: string, body: object, options: CallOptions = {}) {
  return server.call('PUT', path, { ...options, body });
}

const stamp = { changedAt: expect.any(String), changedBy: 'admin' };

describe('docs/agents.md', () => {
  it('shows the real answers to its requests', async () => {
    const documented = await ThroughlineServer.shared();
    try {
      await proveHttpPage('agents.md', documented);
    } finally {
      await documented.stop();
    }
  }, 120_000);
});

describe('the registry of agents', () => {
  it('stores the identity, needs and promises of an agent as they were sent', async () => {
    const sent = { agentId: 'pm', ...manager };
    const registered = await server.post('/v1/agents', sent);
    expect(registered.status).toBe(201);
    expect(registered.body).toEqual({ ...sent, version: 1, ...stamp });
    expect((await server.get('/v1/agents/pm', { key: agentKey })).body).toEqual(registered.body);
    const again = await server.post('/v1/agents', sent);
    expect([again.status, again.body]).toEqual([200, registered.body]);
  });

  it.each(['context', 'global_context', 'project_metadata'])(
    'takes no agent called %s, whose outputs no path could lead to',
    async (agentId) => {
      for (const refused of [
        await server.post('/v1/agents', { agentId, ...manager }),
        await put(`/v1/agents/${agentId}`, manager),
      ]) {
        expect(refused.status).toBe(422);
        expect(refused.body.errors).toEqual([
          { pointer: '/agentId', detail: expect.stringContaining('use another id') },
        ]);
      }
    },
  );

  it('replaces an agent by PUT, and retains the version before', async () => {
    await put('/v1/agents/ux-expert', { ...manager, name: 'Sally' });
    const changed = await put('/v1/agents/ux-expert', { ...manager, name: 'Sal' });
    expect([changed.status, changed.body.version, changed.body.name]).toEqual([201, 2, 'Sal']);
    const same = await put('/v1/agents/ux-expert', { ...manager, name: 'Sal' });
    expect([same.status, same.body.version]).toEqual([200, 2]);
    const conflict = await server.post('/v1/agents', { agentId: 'ux-expert', ...manager });
    expect(conflict.status).toBe(422);
    expect(conflict.body.errors).toMatchObject([{ pointer: '/agentId' }]);
  });

  it('lists each agent once, oldest first, page by page', async () => {
    const path = '/v1/agents?limit=1';
    const first = await server.get(path);
    expect(first.body.items).toMatchObject([{ agentId: 'pm' }]);
    const next = await server.get(`${path}&cursor=${first.body.nextCursor}`);
    expect(next.body).toMatchObject({
      items: [{ agentId: 'ux-expert', name: 'Sal' }],
      nextCursor: null,
    });
  });

  it('belongs to one workspace, and 404 reveals nothing about other workspaces', async () => {
    const stranger = { headers: { workspace: server.workspaceNamed('elsewhere') } };
    expect((await server.get('/v1/agents/pm', stranger)).status).toBe(404);
    expect((await server.get('/v1/agents', stranger)).body.items).toEqual([]);
    const unknown = await server.get('/v1/agents/nobody');
    expect([unknown.status, unknown.body.type]).toEqual([404, '/problems/not-found']);
  });

  it('accepts writes of administrators only', async () => {
    const key = { key: agentKey };
    const sent = { agentId: 'x', ...manager };
    expect((await server.post('/v1/agents', sent, key)).status).toBe(403);
    expect((await put('/v1/agents/x', manager, key)).status).toBe(403);
  });

  it.each([
    [{ ...manager, kind: 'robot' }, '/kind'],
    [{ ...manager, contract: { inputs: { a: { path: 'nowhere' } } } }, '/contract/inputs/a/path'],
    [
      { ...manager, contract: { inputs: { a: { path: 'context.s', qualityThreshold: 1 } } } },
      '/contract/inputs/a/qualityThreshold',
    ],
    [
      { ...manager, contract: { inputs: { a: { path: 'context.s', minLen: 1 } } } },
      '/contract/inputs/a/minLen',
    ],
    [{ ...manager, template: 'Write.\n{{#if x}}' }, '/template'],
  ])('refuses an unusable definition, with a pointer to the fault', async (definition, pointer) => {
    const refused = await put('/v1/agents/broken', definition);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer]);
    expect((await server.get('/v1/agents/broken')).status).toBe(404);
  });

  it('refuses an invalid template, with the line and column of the fault', async () => {
    const template = 'Write the PRD.\n{{#if project_metadata.name}}';
    const errors = [
      {
        pointer: '/template',
        detail: 'line 2, column 1: {{#if}} is not closed: {{/if}} is missing',
      },
    ];
    for (const refused of [
      await put('/v1/agents/broken', { ...manager, template }),
      await server.post('/v1/agents', { agentId: 'broken', ...manager, template }),
    ]) {
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({ type: '/problems/validation-failed', errors });
    }
  });

  it.each(['admin', 'key:1', '', 'a\u0000'])(
    'does not accept %j as the id of an agent',
    async (agentId) => {
      expect((await server.post('/v1/agents', { agentId, ...manager })).status).toBe(422);
    },
  );
});
