import { openTestDatabase, openTestServer } from '#testing';

import { currentAnswer } from './caught-up.js';
import { proveAgentTurns } from './docs/agent-turns.js';
import { proveHttpPage } from './docs/http-page.js';
import { startServerProcess, stopServerProcesses } from './server-process.js';
import { ThroughlineServer, rootKey } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(async () => {
  await stopServerProcesses();
  await server.stop();
});

const addOutput = (path: string, stepId: string, output: unknown, headers = {}) =>
  server.post(`${path}/step-outputs`, { stepId, output }, { headers });

/** The item of the current list. */
async function listed(contextId: string) {
  const { body } = await currentAnswer(() => server.get('/v1/contexts'));
  return body.items.find((each: { contextId: string }) => each.contextId === contextId);
}

it(
  'docs/shared-workflow-context.md shows the real answers to its requests',
  () => proveHttpPage('shared-workflow-context.md', server),
  120_000,
);

it('each agent of docs/shared-workflow-context.md takes one read and one batch per turn', () =>
  proveAgentTurns('shared-workflow-context.md'));

describe('the context of a workflow with several completed steps', () => {
  it('contains all step outputs, the decision history, user preferences and artifact references', async () => {
    const path = await server.context('accumulated');
    const preferences = { verbosityLevel: 'detailed' };
    await server.call('PATCH', `${path}/preferences`, { body: preferences });
    for (const n of [1, 2, 3]) {
      await addOutput(path, `step-${n}`, { n });
      await server.post(`${path}/decisions`, { stepId: `step-${n}`, decision: `decision ${n}` });
      const artifact = { artifactId: `doc-${n}`, artifactType: 'document', path: `${n}.md` };
      await server.post(`${path}/artifacts`, { ...artifact, stepId: `step-${n}` });
    }
    const { body } = await server.get(path);
    expect(body.stepOutputs).toEqual({
      'step-1': { n: 1 },
      'step-2': { n: 2 },
      'step-3': { n: 3 },
    });
    expect(body.userPreferences).toEqual(preferences);
    expect(body.decisionHistory).toMatchObject([1, 2, 3].map((n) => ({ stepId: `step-${n}` })));
    expect(body.artifactReferences).toMatchObject([1, 2, 3].map((n) => ({ path: `${n}.md` })));
    expect(body._version).toBe(11);
  });

  it('lets step 3 read the outputs of steps 1 and 2', async () => {
    const path = await server.context('in-sequence');
    await addOutput(path, 'step-1', 1);
    const { body: first } = await server.get(`${path}/step-outputs/step-1`);
    await addOutput(path, 'step-2', { seen: first.output });
    const { body: second } = await server.get(`${path}/step-outputs/step-2`);
    await addOutput(path, 'step-3', { seen: [first.output, second.output] });
    const { body: third } = await server.get(`${path}/step-outputs/step-3`);
    expect(third.output).toEqual({ seen: [1, { seen: 1 }] });
  });

  it('is the same after a restart of the server', async () => {
    const postgres = await openTestServer();
    const database = await openTestDatabase(postgres);
    const env = { DATABASE_URL: database.connectionString, THROUGHLINE_ADMIN_KEY: rootKey };
    const ask = async (address: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${rootKey}`, 'content-type': 'application/json' };
      const sent = body && { method: 'POST', body: JSON.stringify(body) };
      const answer = await fetch(`${address}${path}`, { headers, ...sent });
      return answer.json();
    };
    const before = await startServerProcess(env);
    await ask(before.address, '/v1/contexts', { contextId: 'kept', preferences: { a: 1 } });
    const output = { stepId: 'step-1', output: [null, { deep: 'ä' }] };
    await ask(before.address, '/v1/contexts/kept/step-outputs', output);
    const document = await ask(before.address, '/v1/contexts/kept');
    expect(document).toMatchObject({ stepOutputs: { 'step-1': [null, { deep: 'ä' }] } });
    await before.stop();
    const after = await startServerProcess(env);
    expect(await ask(after.address, '/v1/contexts/kept')).toEqual(document);
    await after.stop();
    await database.close();
    await postgres.close();
  }, 120_000);
});

describe('getting the output of a step', () => {
  it.each([
    ['an object', { files: ['a.ts'], nested: { empty: {}, list: [] } }],
    ['a list', [1, 'two', null]],
    ['text', 'three screens'],
    ['null', null],
  ])('returns the output of a completed step: %s', async (_, output) => {
    const path = await server.context('typed');
    await addOutput(path, 'step-1', output);
    const { body } = await server.get(`${path}/step-outputs/step-1`);
    expect(body).toMatchObject({ stepId: 'step-1', output });
  });

  it('returns null for a step without output, started or not, and for an empty context', async () => {
    const path = await server.context('unfinished');
    expect(await server.get(`${path}/step-outputs/step-1`)).toMatchObject({
      status: 200,
      text: 'null',
    });
    await server.post(`${path}/steps/step-1/start`);
    expect((await server.get(`${path}/step-outputs/step-1`)).text).toBe('null');
    await server.post(`${path}/steps/step-1/fail`, { reason: 'no model' });
    expect((await server.get(`${path}/step-outputs/step-1`)).text).toBe('null');
  });

  it('answers 404 for a workflow that does not exist, to reads and writes', async () => {
    const path = '/v1/contexts/nowhere';
    const answers = [
      await server.get(path),
      await server.get(`${path}/step-outputs/step-1`),
      await addOutput(path, 'step-1', 1),
    ];
    expect(answers.map(({ status, body }) => [status, body.type])).toEqual(
      answers.map(() => [404, '/problems/context-not-found']),
    );
  });
});

describe('adding the output of a step', () => {
  it('completes the step in the same write, increments the version, and is visible to the next read of another agent', async () => {
    const path = await server.context('completing');
    const key = await server.key({ role: 'agent', agentId: 'designer' });
    await server.post(`${path}/steps/step-1/start`);
    expect((await server.get(path)).body.currentState.status).toBe('in_progress');
    expect((await addOutput(path, 'step-1', 'done')).body.version).toBe(3);
    const { body } = await server.get(path, { key });
    expect(body).toMatchObject({ _version: 3, stepOutputs: { 'step-1': 'done' } });
    expect(body.currentState.status).toBe('completed');
  });

  it('retains the earlier output of a repeated step, and shows the latest', async () => {
    const path = await server.context('again');
    await addOutput(path, 'step-1', 'first');
    await addOutput(path, 'step-1', 'second');
    expect((await server.get(path)).body.stepOutputs).toEqual({ 'step-1': 'second' });
    const { body } = await server.get(`${path}/step-outputs/step-1?all=true`);
    expect(body.items).toMatchObject([{ output: 'first' }, { output: 'second' }]);
  });

  it('stores nothing if the output is invalid, and reports that', async () => {
    const path = await server.context('refused');
    const { status, body } = await server.post(`${path}/step-outputs`, { stepId: 'step-1' });
    expect([status, body.errors[0].pointer]).toEqual([422, '/output']);
    expect((await server.get(path)).body._version).toBe(1);
  });
});

describe('concurrent agents in one context', () => {
  it('can all write outputs without conditions: one version each, none lost', async () => {
    const path = await server.context('together');
    const steps = Array.from({ length: 20 }, (_, n) => `step-${n}`);
    const answers = await Promise.all(steps.map((stepId) => addOutput(path, stepId, stepId)));
    const versions = answers.map(({ body }) => body.version).sort((a, b) => a - b);
    expect(versions).toEqual(steps.map((_, n) => n + 2));
    const { body } = await server.get(path);
    expect(Object.keys(body.stepOutputs).sort()).toEqual(steps.toSorted());
  });

  it('lose a race if they decided on the same version as another, and receive the missed events', async () => {
    const path = await server.context('raced');
    const condition = { 'if-match': '"1"' };
    const answers = await Promise.all(
      ['a', 'b'].map((output) => addOutput(path, 'step-1', output, condition)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412]);
    const conflict = answers.find(({ status }) => status === 412)?.body;
    expect(conflict).toMatchObject({ expectedVersion: 1, currentVersion: 2 });
    const { stepOutputs, _version } = (await server.get(path)).body;
    expect(_version).toBe(2);
    expect(conflict.missed).toMatchObject([{ data: { output: stepOutputs['step-1'] } }]);
  });

  it('resolve a conflict by reading again and repeating the write', async () => {
    const path = await server.context('resolved');
    const writeAt = (version: number) =>
      addOutput(path, 'step-1', 'mine', { 'if-match': `"${version}"` });
    await addOutput(path, 'step-2', 'theirs');
    const { status, body } = await writeAt(1);
    expect(status).toBe(412);
    expect((await writeAt(body.currentVersion)).status).toBe(201);
    expect((await server.get(path)).body.stepOutputs).toEqual({
      'step-1': 'mine',
      'step-2': 'theirs',
    });
  });
});

describe('updating the whole context', () => {
  const update = (path: string, version: number, body: object) =>
    server.call('PUT', path, { body, headers: { 'if-match': `"${version}"` } });

  it('succeeds on the current version, increments it, and records author and time of the change', async () => {
    const path = await server.context('updated');
    const before = (await server.get(path)).body;
    const outputs = { 'step-1': { done: true } };
    const answer = await update(path, 1, { ...before, stepOutputs: outputs });
    expect([answer.status, answer.body.version]).toEqual([201, 2]);
    const after = (await server.get(path)).body;
    expect(after).toMatchObject({ stepOutputs: outputs, _version: 2, _lastModifiedBy: 'admin' });
    expect(Date.parse(after._lastModifiedAt)).toBeGreaterThanOrEqual(
      Date.parse(before._lastModifiedAt),
    );
    expect(after.createdAt).toBe(before.createdAt);
  });

  it('fails on an older version, and changes nothing', async () => {
    const path = await server.context('outdated');
    const stale = (await server.get(path)).body;
    await addOutput(path, 'step-1', 'theirs');
    const answer = await update(path, 1, { ...stale, stepOutputs: { 'step-1': 'mine' } });
    expect([answer.status, answer.body.currentVersion]).toEqual([412, 2]);
    expect((await server.get(path)).body).toMatchObject({
      stepOutputs: { 'step-1': 'theirs' },
      _version: 2,
    });
  });
});

describe('a context beyond the token limit', () => {
  it('is recognized by its size, and has a warning in lists', async () => {
    const path = await server.context('large');
    for (const n of [1, 2, 3, 4, 5]) await addOutput(path, `step-${n}`, 'word '.repeat(9000));
    const { size } = (await server.get(path)).body;
    expect(size.tokens).toBeGreaterThan(50_000);
    const item = await listed('large');
    const { tokens } = size;
    expect(item.warning).toEqual({ code: 'over-token-threshold', tokens, threshold: 50_000 });
  });

  it('has views within a limit: decisions and the newest three outputs in full, older ones shortened', async () => {
    const path = await server.context('budgeted');
    const output = (n: number) => `Step ${n}: ${`word${n} `.repeat(2_000)}end`;
    for (let n = 1; n <= 12; n++) {
      await addOutput(path, `step-${n}`, output(n));
      await server.post(`${path}/decisions`, { topic: `t-${n}`, decision: `decision ${n}, kept` });
    }
    const { body } = await server.get(`${path}/view?maxTokens=20000`);
    expect(body.tokens).toBeLessThanOrEqual(20_000);
    for (let n = 1; n <= 12; n++) {
      expect(body.text).toContain(`decision ${n}, kept`);
      if (n > 9) expect(body.text).toContain(output(n));
    }
    expect(body.text).not.toContain(output(1));
    const original = await server.get(`${path}/items/step-output:step-1`);
    expect(original.body.value.output).toBe(output(1));
  });

  it('remains available in full, with the oldest outputs and decisions', async () => {
    const path = await server.context('whole');
    const output = 'word '.repeat(9000);
    for (const n of [1, 2, 3, 4, 5]) {
      await addOutput(path, `step-${n}`, output);
      await server.post(`${path}/decisions`, { decision: `decision ${n}`, rationale: output });
    }
    const { body } = await server.get(path);
    expect(Object.values(body.stepOutputs)).toEqual(Array.from({ length: 5 }, () => output));
    expect(body.decisionHistory).toMatchObject(
      [1, 2, 3, 4, 5].map((n) => ({ decision: `decision ${n}`, rationale: output, live: true })),
    );
  });
});

describe('access to the context of a workflow', () => {
  it('requires a key that reaches the context; other keys get 404', async () => {
    const path = await server.context('private');
    const key = await server.key({ role: 'agent', agentId: 'stranger', contexts: ['another'] });
    expect((await server.get(path, { key })).status).toBe(404);
    expect((await server.get(`${path}/step-outputs/step-1`, { key })).status).toBe(404);
    const output = { stepId: 'step-1', output: 1 };
    expect((await server.post(`${path}/step-outputs`, output, { key })).status).toBe(404);
  });

  it('is logged: each change with author, time and content', async () => {
    const path = await server.context('trailed');
    const key = await server.key({ role: 'agent', agentId: 'architect' });
    await server.post(`${path}/step-outputs`, { stepId: 'step-1', output: 'o' }, { key });
    const { body } = await server.get(`${path}/events`);
    expect(body.items).toMatchObject([
      { type: 'ContextCreated', principal: 'admin', recordedAt: expect.any(String) },
      { type: 'StepOutputAdded', principal: 'architect', data: { stepId: 'step-1', output: 'o' } },
    ]);
  });
});
