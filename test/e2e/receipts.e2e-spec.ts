import { createHash } from 'node:crypto';

import { rendererVersions } from '#context-views';
import { waitFor } from '#testing';

import { caughtUp } from './caught-up.js';
import { proveHttpPage } from './docs/http-page.js';
import { type ServerDatabase, openServerDatabase } from './server-stores.js';
import { signedReceipt } from './signed-receipt.js';
import { type CallOptions, ThroughlineServer } from './throughline-server.js';

let stores: ServerDatabase;
let server: ThroughlineServer;
let agent: string;
let reviewer: string;

beforeAll(async () => {
  stores = await openServerDatabase();
  server = await ThroughlineServer.start(stores.env);
  agent = await server.key({ role: 'agent', agentId: 'builder' });
  reviewer = await server.key({ role: 'agent', agentId: 'rev', audiences: ['reviewer'] });
}, 120_000);

afterAll(async () => {
  await server.stop();
  await stores.close();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Creates a context with a title and a decision, and returns its path. */
async function createContext(contextId: string): Promise<string> {
  const path = await server.context(contextId);
  await decide(path, { decisionId: 'DEC-001', topic: 'store', decision: 'files' });
  return path;
}

const decide = (path: string, decision: object, options?: CallOptions) =>
  server.post(`${path}/decisions`, decision, options);
const supersede = (path: string) =>
  decide(path, { topic: 'store', decision: 'PostgreSQL', supersedes: 'DEC-001' });
const output = (path: string, stepId: string, basedOn?: string, key?: string) =>
  server.post(
    `${path}/step-outputs`,
    { stepId, output: { made: stepId } },
    { ...(key && { key }), ...(basedOn !== undefined && { headers: { 'based-on': basedOn } }) },
  );

/** A document and its receipt. */
async function read(path: string, options?: CallOptions) {
  const { text, headers, status } = await server.get(path, options);
  expect(status).toBe(200);
  return { text, receipt: String(headers['receipt']) };
}

const receiptOf = (receipt: string, options?: CallOptions) =>
  server.get(`/v1/receipts/${receipt}`, options);
const rowsOf = async (table: string) =>
  (await stores.database.pool.query(`select 1 from throughline.${table}`)).rowCount;
const notFound = { status: 404, body: { type: '/problems/not-found' } };

const signedAs = (facts: readonly unknown[]) => signedReceipt(stores.database, facts);

describe('the receipt of a document', () => {
  it('has the hash of the text, and reproduces the text byte for byte', async () => {
    const path = await createContext('shown');
    const { text, receipt } = await read(path);
    expect(receipt).toMatch(/^r1\.[\w-]+\.[\w-]+$/);
    expect(receipt.length).toBeLessThan(1024);
    await output(path, 'later');
    const { status, body } = await receiptOf(receipt);
    expect(status).toBe(200);
    expect(body).toEqual({
      receipt,
      contextId: 'shown',
      version: 2,
      audience: 'all',
      kind: 'document',
      parameters: {},
      renderer: 4,
      hash: sha256(text),
      citedBy: [],
      citedByTruncated: false,
      text,
      kept: false,
      missing: null,
      missingDetail: null,
    });
  });

  it('has the requested version', async () => {
    const path = await createContext('of-version');
    await output(path, 'a');
    for (const asOf of ['1', '2', new Date(Date.now() + 60_000).toISOString()]) {
      const { text, receipt } = await read(`${path}?asOf=${asOf}`);
      const { body } = await receiptOf(receipt);
      expect(body).toMatchObject({ text, parameters: { asOf } });
    }
  });

  it('is stored nowhere: it writes no event and no text', async () => {
    const path = await createContext('unwritten');
    const storedRows = await rowsOf('cited_texts');
    const first = await read(path);
    expect((await read(path)).receipt).toBe(first.receipt);
    await receiptOf(first.receipt);
    expect(await rowsOf('cited_texts')).toBe(storedRows);
    expect((await server.get(path)).body._version).toBe(2);
  });

  it('is found by its readers only; for others it is like an invalid receipt', async () => {
    const path = await createContext('secret');
    const { receipt } = await read(path);
    const narrow = await server.key({ role: 'agent', agentId: 'n', contexts: ['other'] });
    const workspace = { headers: { workspace: 'elsewhere' } };
    const replies = [
      await receiptOf(receipt, { key: narrow }),
      await receiptOf(receipt, { key: reviewer }),
      await receiptOf(receipt, workspace),
      await receiptOf(`${receipt.slice(0, -1)}${receipt.endsWith('A') ? 'B' : 'A'}`),
      await receiptOf(receipt.slice(0, -10)),
      await receiptOf('made-up'),
    ];
    for (const reply of replies) expect(reply).toMatchObject(notFound);
    expect(new Set(replies.map(({ body }) => body.detail)).size).toBe(1);
  });
});

describe('a write that cites a receipt', () => {
  it('stores the text, and the receipt lists the event', async () => {
    const path = await createContext('cited');
    const { text, receipt } = await read(path);
    const { body: stored, status } = await output(path, 'build', receipt);
    expect(status).toBe(201);
    const [{ eventId, version }] = stored.events;
    const { body } = await receiptOf(receipt);
    expect(body).toMatchObject({ text, kept: true, missing: null });
    expect(body.citedBy).toEqual([
      { contextId: 'cited', eventId, type: 'StepOutputAdded', version },
    ]);
    const { body: events } = await server.get(`${path}/events?after=2`);
    expect(events.items[0]).toMatchObject({ basedOn: receipt });
  });

  it('stores a text once, also for many and concurrent citations, and from another context', async () => {
    const path = await createContext('often');
    const other = await server.context('often-too');
    const { receipt } = await read(path);
    const storedRows = Number(await rowsOf('cited_texts'));
    const writes = [
      ...Array.from({ length: 6 }, (_, nth) => output(path, `s${nth}`, receipt)),
      output(other, 'there', receipt),
    ];
    const stored = await Promise.all(writes);
    expect(stored.map(({ status }) => status)).toEqual(stored.map(() => 201));
    expect(await rowsOf('cited_texts')).toBe(storedRows + 1);
    await waitFor('a receipt that seven writes cite', () => receiptOf(receipt), {
      until: ({ body }) => body.citedBy.length === 7,
    });
  });

  it('is refused if the receipt has another signature or workspace, or is out of reach', async () => {
    const path = await createContext('strict');
    const { receipt } = await read(path);
    const elsewhere = await server.post(
      '/v1/contexts',
      { contextId: 'x' },
      { headers: { workspace: 'elsewhere' } },
    );
    expect(elsewhere.status).toBe(201);
    const foreign = await server.get('/v1/contexts/x', { headers: { workspace: 'elsewhere' } });
    const narrow = await server.key({ role: 'agent', agentId: 'n', contexts: ['mine'] });
    await server.context('mine');
    const replies = [
      await output(path, 'a', `${receipt}A`),
      await output(path, 'a', 'r1.made.up'),
      await output(path, 'a', String(foreign.headers['receipt'])),
      await output('/v1/contexts/mine', 'a', receipt, narrow),
    ];
    for (const reply of replies)
      expect(reply).toMatchObject({ status: 400, body: { type: '/problems/invalid-header' } });
    expect((await server.get(path)).body._version).toBe(2);
  });

  it('accepts texts that do not have the form of a receipt unchanged, since they may belong to another system', async () => {
    const path = await createContext('foreign-words');
    expect((await output(path, 'a', 'langgraph:checkpoint/7')).status).toBe(201);
    const { body } = await server.get(`${path}/events?after=2`);
    expect(body.items[0]).toMatchObject({ basedOn: 'langgraph:checkpoint/7' });
  });

  it('has the same answer if it is repeated', async () => {
    const path = await createContext('repeated');
    const { receipt } = await read(path);
    const headers = { 'based-on': receipt, 'idempotency-key': 'once' };
    const write = () =>
      server.post(`${path}/step-outputs`, { stepId: 'a', output: 1 }, { headers });
    const [first, again] = [await write(), await write()];
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect((await receiptOf(receipt)).body.citedBy).toHaveLength(1);
  });

  it('is stored even if the text cannot be reproduced, which the receipt reports', async () => {
    const parent = await server.context('family');
    const child = await server.post('/v1/contexts', { contextId: 'child', parent: 'family' });
    expect(child.status).toBe(201);
    await caughtUp(server);
    const { receipt } = await read(parent);
    await server.post('/v1/contexts/child/close', {});
    await caughtUp(server);
    expect((await output(parent, 'a', receipt)).status).toBe(201);
    const { body } = await receiptOf(receipt);
    expect(body).toMatchObject({ text: null, kept: false, missing: 'changed' });
    expect(body.citedBy).toHaveLength(1);
  });
});

describe('a cited text', () => {
  it('is returned byte for byte after a change of the renderer, and reported as missing if it was not stored', async () => {
    const path = await createContext('upgraded');
    const text = '{"as":"an older version wrote it"}';
    const receipt = await signedAs([
      'default',
      'upgraded',
      2,
      'all',
      null,
      null,
      'document',
      0,
      sha256(text),
      {},
    ]);
    expect((await output(path, 'a', receipt)).status).toBe(201);
    const missing = { text: null, kept: false, missing: 'other-renderer', renderer: 0 };
    expect((await receiptOf(receipt)).body).toMatchObject(missing);
    // The row that the older version stores when the receipt is cited.
    await stores.database.pool.query(
      `insert into throughline.cited_texts (workspace, context_id, hash, kind, text)
       values ('default', 'upgraded', decode($1, 'hex'), 'document', $2)`,
      [sha256(text), Buffer.from(text)],
    );
    expect((await receiptOf(receipt)).body).toMatchObject({ text, kept: true, missing: null });
  });

  it('is no longer returned after its erasure', async () => {
    const path = await createContext('erased');
    const { receipt, text } = await read(path);
    await output(path, 'a', receipt);
    await stores.database.pool.query(
      `update throughline.cited_texts set text = null, erased_at = now() where hash = decode($1, 'hex')`,
      [sha256(text)],
    );
    const erased = { status: 410, body: { type: '/problems/receipt-erased' } };
    expect(await receiptOf(receipt)).toMatchObject(erased);
    expect((await output(path, 'b', receipt)).status).toBe(201);
    expect(await receiptOf(receipt)).toMatchObject(erased);
  });
});

describe('receipts of views and prompts', () => {
  it('reproduce the text of a view, which is stored after a citation', async () => {
    const path = await createContext('viewed');
    for (const step of ['a', 'b', 'c', 'd']) await output(path, step);
    const { body: view, headers } = await server.get(`${path}/view?maxTokens=400`);
    expect(headers['receipt']).toBe(view.receipt);
    await output(path, 'later');
    const { body } = await receiptOf(view.receipt);
    expect(body).toMatchObject({ kind: 'view', text: view.text, kept: false, version: 6 });
    expect(body.parameters).toMatchObject({ maxTokens: 400, tokenizer: 'o200k_base' });
    expect((await output(path, 'e', view.receipt)).status).toBe(201);
    expect((await receiptOf(view.receipt)).body).toMatchObject({ text: view.text, kept: true });
  });

  it('return the stored text of an earlier renderer, which had the fields of a record in one line', async () => {
    const path = await createContext('fields');
    const fields = { summary: 'it works', testsAdded: ['a.ts'] };
    await server.post(`${path}/records`, { recordId: 'r', kind: 'dev-record', fields });
    const { body: currentView } = await server.get(`${path}/view`);
    expect(currentView.text).toContain('fields.summary: it works\nfields.testsAdded:\n- a.ts\n');
    const { body: current } = await receiptOf(currentView.receipt);
    expect(current).toMatchObject({ renderer: rendererVersions.view, text: currentView.text });
    const earlierText = currentView.text.replace(
      /fields\.summary[^`]*/,
      `fields: ${JSON.stringify(fields)}\n`,
    );
    expect(earlierText).not.toBe(currentView.text);
    const receipt = await signedAs([
      server.workspace,
      'fields',
      3,
      'all',
      null,
      null,
      'view',
      rendererVersions.view - 1,
      sha256(earlierText),
      current.parameters,
    ]);
    expect((await output(path, 'a', receipt)).status).toBe(201);
    const missing = { text: null, kept: false, missing: 'other-renderer' };
    expect((await receiptOf(receipt)).body).toMatchObject(missing);
    await stores.database.pool.query(
      `insert into throughline.cited_texts (workspace, context_id, hash, kind, text)
       values ($1, 'fields', decode($2, 'hex'), 'view', $3)`,
      [server.workspace, sha256(earlierText), Buffer.from(earlierText)],
    );
    expect((await receiptOf(receipt)).body).toMatchObject({
      text: earlierText,
      kept: true,
      missing: null,
      version: 3,
      citedBy: [{ version: 4 }],
    });
  });

  it('store a cited prompt while the server has it in its cache', async () => {
    const path = await createContext('prompted');
    const template = 'Decide about {{context.title}} and {{input}}.';
    const { body: prompt } = await server.post(`${path}/prompt`, { template, input: 'caches' });
    expect((await output(path, 'a', prompt.receipt)).status).toBe(201);
    const { body } = await receiptOf(prompt.receipt);
    expect(body).toMatchObject({ kind: 'prompt', text: prompt.text, kept: true });
  });
});

describe('a reader of a narrower audience', () => {
  it('reads its own receipts only, with the citing events that are visible to it', async () => {
    const path = await createContext('gated');
    const own = await read(path, { key: reviewer });
    expect((await receiptOf(own.receipt, { key: reviewer })).body).toMatchObject({
      audience: 'reviewer',
      text: own.text,
      citedBy: [],
    });
    await output(path, 'hidden', own.receipt, agent);
    const pool = { decision: 'pool', topic: 'pool' };
    await decide(path, pool, { headers: { 'based-on': own.receipt } });
    const visible = (await receiptOf(own.receipt, { key: reviewer })).body;
    expect(visible.citedBy).toMatchObject([{ type: 'DecisionRecorded' }]);
    expect((await receiptOf(own.receipt)).body.citedBy).toHaveLength(2);
    const others = [
      await server.key({ role: 'agent', agentId: 'rev-2', audiences: ['reviewer'] }),
      await server.key({ role: 'agent', agentId: 'rev', audiences: ['developer'] }),
    ];
    for (const key of others) expect(await receiptOf(own.receipt, { key })).toMatchObject(notFound);
  });

  it('gets the original text also for decisions that are no longer in force', async () => {
    const path = await createContext('in-force');
    const { text, receipt } = await read(path, { key: reviewer });
    expect(text).toContain('"decision":"files"');
    await supersede(path);
    expect((await receiptOf(receipt, { key: reviewer })).body).toMatchObject({ text, kept: false });
    expect((await receiptOf(receipt)).body).toMatchObject({ text });
  });

  it('does not get text that its policy no longer shows, in contrast to readers without a filter', async () => {
    const narrower = { show: [{ types: ['RequirementRecorded'] }] };
    const policy = { show: [{ types: ['DecisionRecorded', 'RequirementRecorded'] }] };
    const put = (body: object) => server.call('PUT', '/v1/policies/guest', { body });
    expect((await put(policy)).status).toBe(200);
    const guest = await server.key({ role: 'agent', agentId: 'g', audiences: ['guest'] });
    const path = await createContext('narrowed');
    const { text, receipt } = await read(path, { key: guest });
    await output(path, 'a', receipt);
    await put(narrower);
    const withoutText = { text: null, kept: true, missing: 'other-policy' };
    expect((await receiptOf(receipt, { key: guest })).body).toMatchObject(withoutText);
    expect((await receiptOf(receipt)).body).toMatchObject({ text, kept: true });
  });
});

describe('the knowledge of the author of a decision', () => {
  it('is the cited version; events of others between it and the decision are not part of it', async () => {
    const path = await createContext('known');
    await output(path, 'seen');
    const { receipt } = await read(path, { key: agent });
    await output(path, 'unseen');
    await output(path, 'own', undefined, agent);
    const headers = { 'based-on': receipt };
    await decide(path, { decisionId: 'D', decision: 'x' }, { key: agent, headers });
    await output(path, 'after');
    const { body, status } = await server.get(`${path}/decisions/D/knowledge`);
    expect(status).toBe(200);
    expect(body).toEqual({
      contextId: 'known',
      decisionId: 'D',
      version: 6,
      agentId: 'builder',
      basedOn: {
        receipt,
        link: `/v1/receipts/${receipt}`,
        contextId: 'known',
        version: 3,
        audience: 'all',
        kind: 'document',
      },
      recorded: { after: 3, seen: 'no' },
      items: [
        expect.objectContaining({
          version: 4,
          type: 'StepOutputAdded',
          agentId: 'admin',
          refs: ['step-output:unseen'],
        }),
      ],
      leftOut: { byAudience: [], byChoice: [], byBudget: [] },
      nextCursor: null,
    });
  });

  it('has the refs that the audience and the budget omitted', async () => {
    const path = await createContext('partly');
    const long = 'one two three '.repeat(200);
    for (const stepId of ['a', 'b', 'c', 'd', 'e'])
      await server.post(`${path}/step-outputs`, { stepId, output: { stepId, long } });
    const { body: view } = await server.get(`${path}/view?maxTokens=700`, { key: agent });
    const headers = { 'based-on': view.receipt };
    await decide(path, { decisionId: 'D', decision: 'x' }, { key: agent, headers });
    const { body } = await server.get(`${path}/decisions/D/knowledge`);
    const shortened = view.items.filter(({ form }: { form: string }) => form !== 'whole');
    expect(shortened).not.toEqual([]);
    expect(body.leftOut).toEqual({ byAudience: [], byChoice: [], byBudget: shortened });
    const narrow = await read(path, { key: reviewer });
    const basedOn = { headers: { 'based-on': narrow.receipt } };
    await decide(path, { decisionId: 'E', decision: 'y' }, { key: reviewer, ...basedOn });
    const { leftOut } = (await server.get(`${path}/decisions/E/knowledge`)).body;
    expect(leftOut.byAudience).toContainEqual({ ref: 'step-output:a', version: 3 });
    expect(leftOut.byAudience).not.toContainEqual(expect.objectContaining({ ref: 'decision:D' }));
  });

  it("is unknown since the author's last own write if nothing is cited, and has pages", async () => {
    const path = await createContext('unknown');
    await output(path, 'own', undefined, agent);
    for (const stepId of ['a', 'b', 'c']) await output(path, stepId);
    await decide(path, { decisionId: 'D', decision: 'x' }, { key: agent });
    const first = (await server.get(`${path}/decisions/D/knowledge?limit=2`)).body;
    expect(first).toMatchObject({
      basedOn: null,
      leftOut: null,
      recorded: { after: 3, seen: 'unknown' },
      items: [{ refs: ['step-output:a'] }, { refs: ['step-output:b'] }],
    });
    const next = `${path}/decisions/D/knowledge?limit=2&cursor=${first.nextCursor}`;
    expect((await server.get(next)).body).toMatchObject({
      items: [{ refs: ['step-output:c'] }],
      nextCursor: null,
    });
  });

  it('reveals no hidden content to a reader', async () => {
    const path = await createContext('knowledge-gated');
    const { receipt } = await read(path, { key: agent });
    await output(path, 'hidden');
    await server.post(`${path}/requirements`, {
      requirementId: 'R',
      kind: 'functional',
      text: 't',
    });
    const headers = { 'based-on': receipt };
    await decide(path, { decisionId: 'D', decision: 'x' }, { key: agent, headers });
    const knowledge = (await server.get(`${path}/decisions/D/knowledge`, { key: reviewer })).body;
    expect(knowledge.items).toMatchObject([
      { type: 'RequirementRecorded', refs: ['requirement:R'] },
    ]);
    expect(knowledge.items).toHaveLength(1);
    expect(knowledge.basedOn).toMatchObject({
      receipt: null,
      link: null,
      version: 2,
      audience: 'all',
    });
    expect(JSON.stringify(knowledge)).not.toContain('hidden');
    await supersede(path);
    const hidden = await server.get(`${path}/decisions/DEC-001/knowledge`, { key: reviewer });
    expect(hidden).toMatchObject(notFound);
    expect(await server.get(`${path}/decisions/none/knowledge`)).toMatchObject(notFound);
  });
});

describe('work based on a superseded decision', () => {
  it('is marked as stale in the document, in changes, in checks and in views', async () => {
    const path = await createContext('stale');
    const { receipt } = await read(path, { key: agent });
    await output(path, 'build', receipt, agent);
    const headers = { 'based-on': receipt };
    await decide(path, { decisionId: 'pool', decision: 'a pool' }, { key: agent, headers });
    const staleOf = async () =>
      (await server.get(path)).body.decisionHistory.map(
        ({ decisionId, stale }: { decisionId: string; stale: boolean }) => [decisionId, stale],
      );
    expect(await staleOf()).toEqual([
      ['DEC-001', false],
      ['pool', false],
    ]);
    expect((await server.get(`${path}/view`)).body.text).not.toMatch(/stale:/);
    await supersede(path);
    expect(await staleOf()).toEqual([
      ['DEC-001', false],
      ['pool', true],
      ['DEC-002', false],
    ]);
    const work = {
      kind: 'step-output',
      key: 'build',
      version: 3,
      basedOn: 2,
      decisionId: 'DEC-001',
      supersededBy: 'DEC-002',
    };
    for (const since of [0, 3, 4]) {
      const { difference } = (await server.get(`${path}/changes?since=${since}`)).body;
      expect(difference.workStale).toEqual([work]);
    }
    expect((await server.get(`${path}/diff?from=4&to=5`)).body.workStale).toEqual([work]);
    expect((await server.get(`${path}/changes?since=5`)).body.difference.workStale).toEqual([]);
    expect(
      (await server.get(`${path}/changes?since=4`)).body.difference.decisionsStale,
    ).toMatchObject([{ decisionId: 'pool', after: { stale: true } }]);
    const { findings } = (await server.get(`${path}/check`)).body;
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'work-stale', ref: 'step-output:build' }),
    );
    const view = (await server.get(`${path}/view`)).body;
    expect(view.text).toMatch(/step-output:build.*stale/);
    expect(view.text).toMatch(/decision:pool.*stale/);
    const visible = (await server.get(`${path}/check?audience=reviewer`)).body.findings;
    expect(visible).toContainEqual({
      code: 'work-stale',
      severity: 'warning',
      ref: 'decision:pool',
      detail: 'its author had read a decision as in force that no longer is',
    });
  });

  it('is stale at any distance, with the path, except for readers from whom the superseded decision is hidden', async () => {
    const path = await server.context('chain');
    const record = (decisionId: string, more: object) =>
      server.post(`${path}/decisions`, { decisionId, decision: decisionId, ...more });
    const relatedTo = (decisionId: string, relation = 'requires') => ({
      relatedDecisions: [{ decisionId, relation }],
    });
    await record('services', { topic: 'style' });
    await record('broker', relatedTo('services'));
    await record('consistency', relatedTo('broker', 'implies'));
    await record('reading', relatedTo('services', 'relates'));
    await record('monolith', { topic: 'style', supersedes: 'services' });
    const pathsOf = (items: readonly { decisionId: string; stalePath?: readonly string[] }[]) =>
      items.flatMap(({ decisionId, stalePath }) => (stalePath ? [[decisionId, stalePath]] : []));
    const paths = [
      ['broker', ['services']],
      ['consistency', ['broker', 'services']],
    ];
    const { body } = await server.get(path);
    expect(pathsOf(body.decisionHistory)).toEqual(paths);
    expect(pathsOf((await server.get(`${path}/decisions`)).body.items)).toEqual(paths);
    const mark = /decision:consistency.*stale.*: `broker` > `services`/;
    expect((await server.get(`${path}/view`)).body.text).toMatch(mark);
    const item = await server.get(`${path}/items/decision:consistency`);
    expect(item.body.text).toMatch(mark);
    const { findings } = (await server.get(`${path}/check`)).body;
    expect(findings.map(({ ref }: { ref: string }) => ref)).toEqual(
      expect.arrayContaining(['decision:broker', 'decision:consistency']),
    );
    expect(JSON.stringify(findings)).not.toContain('decision:reading');
    const put = { headers: { 'if-match': '"6"' }, body };
    expect((await server.call('PUT', path, put)).status).toBe(200);
    const narrow = '?audience=reviewer';
    const visible = (await server.get(`${path}${narrow}`)).body.decisionHistory;
    expect(pathsOf(visible)).toEqual([]);
    expect(visible).toContainEqual(
      expect.objectContaining({ decisionId: 'consistency', stale: true }),
    );
    const { body: report } = await server.get(`${path}/check${narrow}`);
    const stale = report.findings.filter(({ code }: { code: string }) => code === 'work-stale');
    expect(stale).toEqual(
      ['broker', 'consistency'].map((decisionId) => ({
        code: 'work-stale',
        severity: 'warning',
        ref: `decision:${decisionId}`,
        detail: 'it depends on a decision that is no longer in force',
      })),
    );
    for (const route of [`/view${narrow}`, `/items/decision:consistency${narrow}`]) {
      const { text } = (await server.get(`${path}${route}`)).body;
      expect(text).toMatch(
        /decision:consistency.*stale: it rests on a decision no longer in force\n/,
      );
    }
  });

  it('is reported in a fork that supersedes an inherited decision', async () => {
    const path = await createContext('forked');
    const { receipt } = await read(path);
    await output(path, 'build', receipt);
    await server.post(`${path}/forks`, { atVersion: 3, contextId: 'the-fork' });
    const fork = '/v1/contexts/the-fork';
    await supersede(fork);
    const { difference } = (await server.get(`${fork}/changes?since=1`)).body;
    expect(difference.workStale).toMatchObject([{ key: 'build', decisionId: 'DEC-001' }]);
    const codesOf = async (contextPath: string) =>
      (await server.get(`${contextPath}/check`)).body.findings.map(
        ({ code }: { code: string }) => code,
      );
    expect(await codesOf(fork)).toContain('work-stale');
    expect(await codesOf(path)).not.toContain('work-stale');
  });

  it('is not stale if it was read after the decision was superseded', async () => {
    const path = await createContext('fresh');
    await supersede(path);
    const { receipt } = await read(path);
    await output(path, 'build', receipt);
    const { body } = await server.get(`${path}/changes?since=0`);
    expect(body.difference.workStale).toEqual([]);
  });
});

it('docs/receipts.md shows the real answers to its requests', () =>
  proveHttpPage('receipts.md', server));
