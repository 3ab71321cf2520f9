import { createHash } from 'node:crypto';

import { waitFor } from '#testing';

import { caughtUp } from './caught-up.js';
import { type ServerDatabase, openServerDatabase } from './server-stores.js';
import { factsOfReceipt, signedReceipt } from './signed-receipt.js';
import { type CallOptions, ThroughlineServer } from './throughline-server.js';

let stores: ServerDatabase;
let server: ThroughlineServer;
/** Another process over the same store, without the caches of the first one. */
let otherProcess: ThroughlineServer;

beforeAll(async () => {
  stores = await openServerDatabase();
  server = await ThroughlineServer.start(stores.env);
  otherProcess = await ThroughlineServer.start(stores.env);
}, 120_000);

afterAll(async () => {
  await otherProcess.stop();
  await server.stop();
  await stores.close();
});

const focus = 'focus=retrospective';

const view = async (path: string, query: string, options?: CallOptions) => {
  const { body, status } = await server.get(`${path}/view?${query}`, options);
  expect(status).toBe(200);
  return body;
};
const readReceipt = async (receipt: string, options?: CallOptions) =>
  (await otherProcess.get(`/v1/receipts/${receipt}`, options)).body;
const cite = async (path: string, receipt: string, options?: CallOptions) => {
  const headers = { 'based-on': receipt };
  const body = { stepId: 'citing', output: 1 };
  const { status } = await otherProcess.post(`${path}/step-outputs`, body, { ...options, headers });
  expect(status).toBe(201);
};

/** Creates a parent with children that are in lists. */
async function family(parent: string, children: readonly string[], more: object = {}) {
  const path = await server.context(parent);
  for (const contextId of children) {
    const child = { contextId, title: `Title of ${contextId}`, parent, ...more };
    expect((await server.post('/v1/contexts', child)).status).toBe(201);
    await server.post(`/v1/contexts/${contextId}/steps/build/fail`, { reason: 'out of memory' });
  }
  await caughtUp(server);
  return path;
}

const parametersIn = (facts: readonly unknown[]) => Object(facts.at(-1));
const signedAs = (facts: readonly unknown[]) => signedReceipt(stores.database, facts);

describe('the receipt of a retrospective', () => {
  it('reproduces its text, and stores it if cited, after changes of children and additions', async () => {
    const path = await family('season', ['ship', 'wrap']);
    const { text, receipt } = await view(path, focus);
    expect(text).toContain('out of memory');
    await server.post('/v1/contexts/wrap/steps/build/fail', { reason: 'disk full' });
    await server.post('/v1/contexts/ship/decisions', { decision: 'by train' });
    await server.post('/v1/contexts/ship/close', {});
    await server.post('/v1/contexts', { contextId: 'late', parent: 'season' });
    await caughtUp(server);
    expect((await view(path, focus)).text).toContain('disk full');
    const parameters = {
      focus: {
        on: 'retrospective',
        children: [
          ['ship', 2],
          ['wrap', 2],
        ],
      },
    };
    const complete = { text, missing: null, missingDetail: null, parameters };
    expect(await readReceipt(receipt)).toMatchObject({ ...complete, kept: false });
    await cite(path, receipt);
    expect(await readReceipt(receipt)).toMatchObject({ ...complete, kept: true });
  });

  it('reproduces superseded decisions of children, for a narrower audience and for all', async () => {
    const path = await family('reviewed', ['under-review']);
    const decision = { decisionId: 'D', topic: 't', decision: 'by hand' };
    await server.post('/v1/contexts/under-review/decisions', decision);
    const key = await server.key({ role: 'agent', agentId: 'rev', audiences: ['reviewer'] });
    const { text, receipt } = await view(path, focus, { key });
    expect(text).toContain('by hand');
    const superseding = { topic: 't', decision: 'by machine', supersedes: 'D' };
    await server.post('/v1/contexts/under-review/decisions', superseding);
    expect((await view(path, focus, { key })).text).not.toContain('by hand');
    expect(await readReceipt(receipt, { key })).toMatchObject({ text, kept: false });
    expect(await readReceipt(receipt)).toMatchObject({ text });
    await cite(path, receipt);
    expect(await readReceipt(receipt, { key })).toMatchObject({ text, kept: true });
  });

  it('has a time instead of the versions of children if there are many children', async () => {
    const children = Array.from({ length: 30 }, (_, nth) => `one-of-many-stories-of-it-${nth}`);
    const path = await family('crowd', children);
    const { text, receipt } = await view(path, focus);
    expect(text).toContain('outcome failed');
    await server.post(`/v1/contexts/${children[7] ?? ''}/close`, {});
    await server.post(`/v1/contexts/${children[9] ?? ''}/decisions`, { decision: 'later' });
    await server.post('/v1/contexts', { contextId: 'one-more', parent: 'crowd' });
    await caughtUp(server);
    expect((await view(path, focus)).text).not.toBe(text);
    const shown = await readReceipt(receipt);
    expect(shown).toMatchObject({ text, kept: false });
    expect(shown.parameters.focus.children).toMatch(/^\d{4}-.*Z$/);
    await cite(path, receipt);
    expect(await readReceipt(receipt)).toMatchObject({ text, kept: true });
  });

  it('reproduces a view of the past with the state of the children at that time', async () => {
    const path = await family('then', ['early']);
    const [, failed] = (await server.get('/v1/contexts/early/events')).body.items;
    await waitFor(`a time behind ${failed.recordedAt}`, () => Date.now(), {
      until: (now) => now > Date.parse(failed.recordedAt),
    });
    await server.post('/v1/contexts/early/steps/build/fail', { reason: 'disk full' });
    const past = await view(path, `${focus}&asOf=${failed.recordedAt}`);
    expect(past.text).toContain('outcome failed');
    expect(past.text).toContain('out of memory');
    expect(past.text).not.toContain('disk full');
    expect(await readReceipt(past.receipt)).toMatchObject({ text: past.text });
  });

  it('has no children if the sections of the view exclude them', async () => {
    const path = await family('parts', ['part']);
    const { text, receipt } = await view(path, `${focus}&sections=decisions`);
    await server.post('/v1/contexts/part/close', {});
    expect(await readReceipt(receipt)).toMatchObject({
      text,
      parameters: { focus: { children: [] } },
    });
  });

  it('without versions of children reproduces its text until a child changes', async () => {
    const path = await family('older', ['old-child']);
    const { text, receipt } = await view(path, focus);
    const facts = factsOfReceipt(receipt);
    const parameters = { ...parametersIn(facts), focus: { on: 'retrospective' } };
    const older = await signedAs([...facts.slice(0, -1), parameters]);
    expect(await readReceipt(older)).toMatchObject({ text, parameters });
    await server.post('/v1/contexts/old-child/steps/build/fail', { reason: 'disk full' });
    expect(await readReceipt(older)).toMatchObject({ text: null, missing: 'changed' });
  });

  it('reveals nothing of children to a key that does not reach them, stored or not', async () => {
    const parent = { contextId: 'mixed', workflow: { definitionId: 'plans', version: 1 } };
    expect((await server.post('/v1/contexts', parent)).status).toBe(201);
    const child = {
      contextId: 'payroll',
      parent: 'mixed',
      workflow: { definitionId: 'money', version: 1 },
    };
    await server.post('/v1/contexts', child);
    await server.post('/v1/contexts/payroll/decisions', { decision: 'everybody earns less' });
    const path = '/v1/contexts/mixed';
    await caughtUp(server);
    const key = await server.key({ role: 'agent', agentId: 'planner', workflows: ['plans'] });
    const unlimited = await view(path, focus);
    const withoutFocus = await view(path, 'maxTokens=5000');
    const ownView = await view(path, focus, { key });
    const document = String((await server.get(path)).headers['receipt']);
    const prompt = await server.post(`${path}/prompt`, { template: '{{context.children}}' });
    expect(unlimited.text).toContain('earns less');
    expect(ownView.text).not.toContain('payroll');
    for (const receipt of [unlimited.receipt, document, prompt.body.receipt]) {
      const withoutText = { text: null, kept: false, missing: 'out-of-reach' };
      expect((await server.get(`/v1/receipts/${receipt}`, { key })).body).toMatchObject(
        withoutText,
      );
      await server.post(
        `${path}/step-outputs`,
        { stepId: 'a', output: 1 },
        { headers: { 'based-on': receipt } },
      );
      const storedText = { text: null, kept: true, missing: 'out-of-reach' };
      expect(await readReceipt(receipt, { key })).toMatchObject(storedText);
      expect((await readReceipt(receipt)).text).toMatch(/payroll/);
    }
    expect(await readReceipt(ownView.receipt, { key })).toMatchObject({ text: ownView.text });
    expect(await readReceipt(withoutFocus.receipt, { key })).toMatchObject({
      text: withoutFocus.text,
    });
  });
});

describe('a receipt that another process signed', () => {
  it('reproduces the marks of derived values, and no marks if it is older than these', async () => {
    const path = await server.context('derived');
    const counting = {
      trigger: { step: 'count' },
      sources: { all: 'context.count' },
      operation: { kind: 'score', expression: 'len(all)' },
      destinations: ['project_metadata.count'],
    };
    const put = async (active: boolean) => {
      const body = { ...counting, active };
      const { status } = await server.call('PUT', '/v1/transformations/counting', { body });
      expect(status).toBeLessThan(300);
    };
    await put(true);
    await server.post(`${path}/step-outputs`, { stepId: 'count', output: [1, 2] });
    const activeView = await view(path, 'maxTokens=2000');
    const facts = factsOfReceipt(activeView.receipt);
    const { transformationVersions, ...parameters } = parametersIn(facts);
    expect(transformationVersions).toBe(1);
    const older = await signedAs([...facts.slice(0, -1), parameters]);
    await put(false);
    const inactiveView = await view(path, 'maxTokens=2000');
    const document = await server.get(path);
    await put(true);
    expect(inactiveView.text).not.toBe(activeView.text);
    expect(await readReceipt(activeView.receipt)).toMatchObject({
      text: activeView.text,
      missing: null,
    });
    expect(await readReceipt(inactiveView.receipt)).toMatchObject({
      text: inactiveView.text,
      missing: null,
    });
    expect(await readReceipt(older)).toMatchObject({ text: activeView.text, missing: null });
    const shown = await readReceipt(String(document.headers['receipt']));
    expect(JSON.parse(shown.text).derived['project_metadata.count']).toMatchObject({
      active: false,
    });
    await cite(path, inactiveView.receipt);
    expect(await readReceipt(inactiveView.receipt)).toMatchObject({
      text: inactiveView.text,
      kept: true,
    });
  });

  it('of a prompt has no text, with the reason', async () => {
    const path = await server.context('asked');
    const template = 'Decide about {{context.title}} and {{input}}.';
    const { body: prompt } = await server.post(`${path}/prompt`, { template, input: 'caches' });
    await cite(path, prompt.receipt);
    const shown = await readReceipt(prompt.receipt);
    expect(shown).toMatchObject({ text: null, kept: false, missing: 'not-repeatable' });
    expect(shown.missingDetail).toMatch(/prompt and was not stored: .*only hashes/);
    expect(shown.citedBy).toHaveLength(1);
    const cached = await server.get(`/v1/receipts/${prompt.receipt}`);
    expect(cached.body).toMatchObject({ text: prompt.text, kept: false, missing: null });
  });

  it('with unknown parameters of a newer version is reported as such', async () => {
    const path = await server.context('newer');
    const { text, receipt } = await view(path, '');
    const facts = factsOfReceipt(receipt);
    const parameters = parametersIn(facts);
    const unknownParameters = [
      { ...parameters, mood: 'curt' },
      { ...parameters, focus: { on: 'audit' } },
      { ...parameters, maxTokens: 'many' },
      {},
    ];
    for (const parameters of unknownParameters) {
      const newer = await signedAs([...facts.slice(0, -1), parameters]);
      const shown = await readReceipt(newer);
      expect(shown).toMatchObject({ text: null, missing: 'unknown-parameters', parameters });
      expect(shown.missingDetail).toMatch(/does not know/);
      await cite(path, newer);
    }
    expect(facts[8]).toBe(createHash('sha256').update(String(text)).digest('hex'));
    const ofDocument = factsOfReceipt(String((await server.get(path)).headers['receipt']));
    const document = await signedAs([...ofDocument.slice(0, -1), { shape: 'short' }]);
    expect(await readReceipt(document)).toMatchObject({ missing: 'unknown-parameters' });
  });
});
