import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ThroughlineServer } from './throughline-server.js';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });
const feature = { id: 'feature', steps: [agent('plan', { next: 'code' }), agent('code')] };

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const publish = (body: unknown, key?: string) =>
  server.call('POST', '/v1/workflows', { body, ...(key === undefined ? {} : { key }) });

describe('publishing a definition', () => {
  it('stores a version for each content, and answers 200 for the same content', async () => {
    const first = await publish(feature);
    expect([first.status, first.body]).toEqual([
      201,
      {
        definitionId: 'feature',
        version: 1,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        description: null,
        enabled: true,
        visibleTo: null,
        steps: 2,
        warnings: [],
        publishedAt: expect.any(String),
        publishedBy: 'admin',
      },
    ]);
    const again = await publish({ steps: feature.steps, id: 'feature' });
    expect([again.status, again.body]).toEqual([200, first.body]);

    const changed = { ...feature, description: 'changed', enabled: false };
    const second = await publish(changed);
    expect([second.status, second.body.version]).toEqual([201, 2]);
    const current = await server.get('/v1/workflows/feature');
    expect(current.body).toMatchObject({ version: 2, enabled: false, definition: changed });
    const earlier = await server.get('/v1/workflows/feature/versions/1');
    expect(earlier.body).toMatchObject({ version: 1, hash: first.body.hash, definition: feature });

    const back = await publish(feature);
    expect([back.status, back.body.version]).toEqual([200, 1]);
    expect((await server.get('/v1/workflows/feature')).body.version).toBe(1);
  });

  it('accepts a definition as text, and stores JSON', async () => {
    const text = `{
      "id": "from-text", // with a comment
      "steps": [${JSON.stringify(agent('a', { on_error: 'a' }))},],
    }`;
    const { status, body } = await publish(text);
    expect(status).toBe(201);
    expect(body.warnings).toMatchObject([
      { code: 'loop-without-limit', line: 3, severity: 'warning' },
    ]);
    const read = await server.get('/v1/workflows/from-text');
    expect(read.body.definition).toEqual({
      id: 'from-text',
      steps: [agent('a', { on_error: 'a' })],
    });
  });

  it('refuses a definition with all errors, each with a pointer', async () => {
    const { status, body } = await publish({
      id: 'w',
      steps: [agent('plan', { next: 'cod', on_error: 'plam' })],
    });
    expect([status, body.type]).toEqual([422, '/problems/validation-failed']);
    expect(body.errors).toEqual([
      { pointer: '/steps/0/next', detail: 'there is no step cod to go to' },
      {
        pointer: '/steps/0/on_error',
        suggestion: 'plan',
        detail: 'there is no step plam to go to; did you mean plan?',
      },
    ]);
    const fromText = await publish('{ "id": "w", }');
    expect(fromText.body.errors).toEqual([
      { pointer: '', detail: 'line 1, column 1: steps is required' },
    ]);
    expect((await server.get('/v1/workflows/w')).status).toBe(404);
    for (const invalid of [[], 7, null]) expect((await publish(invalid)).status).toBe(422);
  });

  it('requires a key without a filter that reaches the workflow', async () => {
    const statuses = async (grant: object) =>
      (await publish(feature, await server.key(grant))).status;
    expect(await statuses({ role: 'agent', agentId: 'ada' })).toBe(200);
    expect(await statuses({ role: 'agent', audiences: ['reviewer'] })).toBe(403);
    expect(await statuses({ role: 'auditor' })).toBe(403);
    expect(await statuses({ role: 'admin', contexts: ['c'] })).toBe(403);
    expect(await statuses({ role: 'agent', workflows: ['other'] })).toBe(403);
    expect(await statuses({ role: 'agent', workflows: ['feature'] })).toBe(200);
  });
});

describe('reading workflows', () => {
  it('lists those in force without their definitions, and only those in reach of the key', async () => {
    await publish({ ...feature, id: 'listed' });
    const { body } = await server.get('/v1/workflows?limit=500');
    const ids = body.items.map((item: { definitionId: string }) => item.definitionId);
    expect(ids).toEqual(expect.arrayContaining(['feature', 'listed']));
    expect(ids).toEqual(ids.toSorted());
    expect(body.items[0]).not.toHaveProperty('definition');
    const limited = await server.key({ role: 'agent', workflows: ['listed'] });
    const visible = await server.get('/v1/workflows', { key: limited });
    expect(visible.body.items).toMatchObject([{ definitionId: 'listed' }]);
    expect((await server.get('/v1/workflows/feature', { key: limited })).status).toBe(404);
  });

  it('answers 404 for unknown versions, and 422 for invalid ones', async () => {
    for (const [path, status] of [
      ['feature/versions/99', 404],
      ['gone', 404],
      ['gone/versions/1', 404],
      ['feature/versions/0', 422],
      ['feature/versions/latest', 422],
    ] as const)
      expect([path, (await server.get(`/v1/workflows/${path}`)).status]).toEqual([path, status]);
  });

  it('returns the schema of definitions without a key', async () => {
    const { status, body } = await server.get('/schemas/workflow-definition.json', { key: null });
    expect([status, body.title]).toEqual([200, 'Workflow definition']);
  });
});

describe('validating a definition', () => {
  const validate = (body: unknown) => server.call('POST', '/v1/workflows/validate', { body });

  it('returns errors and warnings, and stores nothing', async () => {
    const { status, body } = await validate({
      id: 'unseen',
      steps: [agent('a', { next: 'b', on_error: 'a' })],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      valid: false,
      more: 0,
      errors: [{ code: 'unknown-target', pointer: '/steps/0/next' }],
      warnings: [{ code: 'loop-without-limit', pointer: '/steps/0/on_error' }],
    });
    expect((await validate({ ...feature, id: 'unseen' })).body).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      more: 0,
    });
    expect((await server.get('/v1/workflows/unseen')).status).toBe(404);
  });

  it('warns of unregistered agents if any agent is registered', async () => {
    const workspace = server.workspaceNamed('registered');
    const headers = { workspace };
    await server.post(
      '/v1/agents',
      { agentId: 'planner', name: 'P', role: 'plans', kind: 'llm' },
      { headers },
    );
    const steps = [agent('planer')];
    const warnings = [
      expect.objectContaining({
        code: 'unknown-agent',
        suggestion: 'planner',
        pointer: '/steps/0/agent',
      }),
    ];
    const checked = await server.post('/v1/workflows/validate', { id: 'w', steps }, { headers });
    expect(checked.body).toMatchObject({ valid: true, warnings });
    const published = await server.post('/v1/workflows', { id: 'w', steps }, { headers });
    expect([published.status, published.body.warnings]).toEqual([201, warnings]);
  });

  it('reports lines and columns for a text', async () => {
    const { body } = await validate('{\n  "id": "w"\n  "steps": []\n}');
    expect(body.errors).toEqual([
      {
        code: 'invalid-json',
        severity: 'error',
        message: 'a comma is expected',
        pointer: '',
        line: 3,
        column: 3,
      },
    ]);
  });
});

describe('a directory of workflows', () => {
  it('is published at the start of the server', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'throughline-workflows-'));
    writeFileSync(join(directory, 'feature.json'), JSON.stringify(feature));
    const ownServer = await ThroughlineServer.start({ WORKFLOWS_DIR: directory });
    try {
      const { body } = await ownServer.get('/v1/workflows/feature');
      expect(body).toMatchObject({ version: 1, publishedBy: 'WORKFLOWS_DIR', definition: feature });
    } finally {
      await ownServer.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  }, 120_000);
});

describe('the command line', () => {
  const throughline = (args: readonly string[], input = '') =>
    spawnSync(
      process.execPath,
      [join(import.meta.dirname, '../../apps/cli/bin/throughline.mjs'), ...args],
      {
        input,
        encoding: 'utf8',
        env: { ...process.env, THROUGHLINE_URL: server.url, THROUGHLINE_KEY: key },
      },
    );
  let key: string;

  beforeAll(async () => {
    key = await server.key({ role: 'operator' });
  });

  it('validates a definition without a server', () => {
    const { status, stdout } = throughline(
      ['workflow', 'validate', '-'],
      '{ "id": "w", "steps": [] }',
    );
    expect([status, stdout]).toEqual([
      2,
      '-:1:23: error invalid-member: steps must be at least 1 entry\n-: 1 error, no warnings\n',
    ]);
  });

  it('publishes, lists and shows definitions', () => {
    const text = `{ "id": "typed", "steps": [${JSON.stringify(agent('a', { on_error: 'a' }))},], }`;
    const first = throughline(['workflow', 'publish', '-'], text);
    expect([first.status, first.stdout]).toEqual([0, 'typed: version 1 is in force, and new\n']);
    expect(first.stderr).toMatch(/^-:1:\d+: warning loop-without-limit: /);
    const again = throughline(['workflow', 'publish', '-'], text);
    expect([again.status, again.stdout]).toEqual([0, 'typed: version 1 is in force\n']);
    const refused = throughline(['workflow', 'publish', '-'], '{ "id": "typed" }');
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining('steps is required'),
    ]);
    expect(throughline(['workflow', 'list']).stdout).toMatch(/^typed +1 +enabled +1 /m);
    const { stdout } = throughline(['workflow', 'show', 'typed', '--json']);
    expect(JSON.parse(stdout).definition).toEqual({
      id: 'typed',
      steps: [agent('a', { on_error: 'a' })],
    });
    expect(throughline(['workflow', 'show', 'typed', '--version-number', '2']).status).toBe(4);
  });
});
