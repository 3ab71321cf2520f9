import { type ServerDatabase, openServerDatabase } from './server-stores.js';
import { factsOfReceipt, signedReceipt } from './signed-receipt.js';
import { type CallOptions, ThroughlineServer } from './throughline-server.js';

let stores: ServerDatabase;
let server: ThroughlineServer;
let dev: string;
let reviewer: string;

beforeAll(async () => {
  stores = await openServerDatabase();
  server = await ThroughlineServer.start(stores.env);
  dev = await server.key({ role: 'agent', agentId: 'dev' });
  reviewer = await server.key({ role: 'agent', agentId: 'rev', audiences: ['reviewer'] });
}, 120_000);

afterAll(async () => {
  await server.stop();
  await stores.close();
});

async function send(path: string, body: object, options?: CallOptions) {
  const reply = await server.post(path, body, options);
  expect({ path, body: reply.body, status: reply.status }).toMatchObject({ status: 201 });
  return reply.body;
}
const output = (path: string, stepId: string, key?: string) =>
  send(`${path}/step-outputs`, { stepId, output: `made ${stepId}` }, key ? { key } : {});
const decide = (path: string, decisionId: string, receipt?: string) =>
  send(
    `${path}/decisions`,
    { decisionId, decision: `do ${decisionId}` },
    { key: dev, ...(receipt !== undefined && { headers: { 'based-on': receipt } }) },
  );
const knowledgeOf = async (path: string, decisionId: string, options?: CallOptions) =>
  (await server.get(`${path}/decisions/${decisionId}/knowledge`, options)).body;
const read = async (path: string, options?: CallOptions) =>
  String((await server.get(path, options)).headers['receipt']);
const unseenRefs = ({ items }: { items: readonly { refs: readonly string[] }[] }) =>
  items.flatMap(({ refs }) => refs);

describe('the knowledge of the author of a decision', () => {
  it('excludes everything if the author had written nothing before', async () => {
    const path = await server.context('first-write');
    await output(path, 'a');
    await decide(path, 'D');
    const body = await knowledgeOf(path, 'D');
    expect(body).toMatchObject({ recorded: { after: 0, seen: 'unknown' }, leftOut: null });
    expect(unseenRefs(body)).toEqual(['step-output:a']);
  });

  it('is that before a batch of several events, not between them', async () => {
    const path = await server.context('at-once');
    await output(path, 'own', dev);
    await output(path, 'unseen');
    const events = [
      { type: 'StepOutputAdded', data: { stepId: 'with', output: 1 } },
      { type: 'DecisionRecorded', data: { decisionId: 'D', decision: 'd' } },
    ];
    await send(`${path}/events`, { events }, { key: dev });
    const body = await knowledgeOf(path, 'D');
    expect(body).toMatchObject({ version: 5, recorded: { after: 2, seen: 'unknown' } });
    expect(unseenRefs(body)).toEqual(['step-output:unseen']);
  });

  it('lists the items that the sections or the focus of its view omitted', async () => {
    const path = await server.context('chosen');
    for (const stepId of ['a', 'b']) await output(path, stepId);
    await send(`${path}/requirements`, { requirementId: 'R', kind: 'functional', text: 't' });
    const leftOutOf = async (query: string, decisionId: string) => {
      const { body } = await server.get(`${path}/view?${query}`, { key: dev });
      await decide(path, decisionId, body.receipt);
      return (await knowledgeOf(path, decisionId)).leftOut;
    };
    expect(await leftOutOf('sections=requirements', 'D1')).toEqual({
      byAudience: [],
      byChoice: [
        { ref: 'step-output:a', version: 2 },
        { ref: 'step-output:b', version: 3 },
      ],
      byBudget: [],
    });
    expect((await leftOutOf('focus=rework&subject=b', 'D2')).byChoice).toEqual([
      { ref: 'step-output:a', version: 2 },
      { ref: 'requirement:R', version: 4 },
    ]);
    const since = await leftOutOf('focus=handover&since=3', 'D3');
    expect(since.byChoice).toEqual([
      { ref: 'step-output:a', version: 2 },
      { ref: 'step-output:b', version: 3 },
    ]);
    expect((await leftOutOf('maxTokens=4000', 'D4')).byChoice).toEqual([]);
    expect((await leftOutOf('focus=retrospective', 'D5')).byChoice).toEqual([]);
  });

  it('has no list of omitted items for a prompt', async () => {
    const path = await server.context('asked-by-prompt');
    const { body } = await server.post(`${path}/prompt`, { template: '{{context.title}}' });
    await decide(path, 'D', body.receipt);
    expect((await knowledgeOf(path, 'D')).leftOut).toEqual({
      byAudience: [],
      byChoice: null,
      byBudget: null,
    });
  });

  it('is unknown for this context if the receipt belongs to another one', async () => {
    const path = await server.context('here');
    await output(path, 'own', dev);
    await output(path, 'unseen');
    const receipt = await read(await server.context('there'));
    await decide(path, 'D', receipt);
    const body = await knowledgeOf(path, 'D');
    expect(body).toMatchObject({
      basedOn: { receipt, contextId: 'there', version: 1, kind: 'document' },
      recorded: { after: 2, seen: 'unknown' },
      leftOut: null,
    });
    expect(unseenRefs(body)).toEqual(['step-output:unseen']);
    const key = await server.key({ role: 'agent', agentId: 'near', contexts: ['here'] });
    const hiddenReceipt = { receipt: null, link: null, contextId: null, version: null };
    expect((await knowledgeOf(path, 'D', { key })).basedOn).toMatchObject(hiddenReceipt);
  });

  it('is unknown if the cited version was lost by restoring a backup', async () => {
    const path = await server.context('taken-back');
    await output(path, 'own', dev);
    await output(path, 'unseen');
    const facts = factsOfReceipt(await read(path));
    const receipt = await signedReceipt(stores.database, [
      ...facts.slice(0, 2),
      40,
      ...facts.slice(3),
    ]);
    await decide(path, 'D', receipt);
    const body = await knowledgeOf(path, 'D');
    expect(body).toMatchObject({ recorded: { after: 2, seen: 'unknown' }, leftOut: null });
    expect(unseenRefs(body)).toEqual(['step-output:unseen']);
    const { text } = (await server.get(`${path}/view?focus=handover`, { key: dev })).body;
    expect(text).toContain('what changed since v4');
  });

  it('remains the same after the decision is restored', async () => {
    const path = await server.context('restored');
    await output(path, 'seen');
    const receipt = await read(path, { key: dev });
    await output(path, 'unseen');
    await decide(path, 'D', receipt);
    const before = await knowledgeOf(path, 'D');
    await send(`${path}/restore`, { version: 2 });
    expect((await server.get(`${path}/decisions/D/knowledge`)).status).toBe(404);
    await send(`${path}/restore`, { version: 4 });
    expect(await knowledgeOf(path, 'D')).toEqual(before);
    expect(unseenRefs(before)).toEqual(['step-output:unseen']);
  });

  it('in a fork is that of the original context for inherited decisions, and its own for new ones', async () => {
    const path = await server.context('source');
    await output(path, 'a');
    const receipt = await read(path, { key: dev });
    await decide(path, 'D', receipt);
    await send(`${path}/forks`, { atVersion: 3, contextId: 'branch' });
    const fork = '/v1/contexts/branch';
    expect(await knowledgeOf(fork, 'D')).toMatchObject({
      version: 1,
      agentId: 'dev',
      basedOn: null,
      leftOut: null,
      items: [],
      recorded: { after: 0, seen: 'unknown' },
    });
    await output(fork, 'b');
    await decide(fork, 'E', receipt);
    const ownKnowledge = await knowledgeOf(fork, 'E');
    expect(ownKnowledge).toMatchObject({
      basedOn: { contextId: 'source' },
      recorded: { seen: 'unknown' },
    });
    expect(unseenRefs(ownKnowledge)).toContain('step-output:b');
  });

  it('depends on the origin of imported events, not on the importer', async () => {
    const path = await server.context('exported');
    await output(path, 'own', dev);
    await output(path, 'unseen');
    await decide(path, 'D');
    const { text } = await server.get(`${path}/export?format=events-jsonl`);
    const { status } = await server.call('POST', '/v1/imports?format=events-jsonl&as=copied', {
      text,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(status).toBe(200);
    const [original, copied] = [
      await knowledgeOf(path, 'D'),
      await knowledgeOf('/v1/contexts/copied', 'D'),
    ];
    expect(copied).toMatchObject({ agentId: 'dev', recorded: original.recorded });
    expect(unseenRefs(copied)).toEqual(unseenRefs(original));
    expect(unseenRefs(copied)).toEqual(['step-output:unseen']);
  });
});

describe('a reader of a narrower audience', () => {
  /** Creates a context with outputs that are hidden from reviewers, and a decision based on a view of it. */
  async function contextWith(contextId: string, hidden: readonly string[]) {
    const path = await server.context(contextId);
    await send(`${path}/requirements`, { requirementId: 'R', kind: 'functional', text: 't' });
    for (const [nth, text] of hidden.entries())
      await send(`${path}/step-outputs`, { stepId: `s${nth}`, output: text });
    const query = 'maxTokens=300&overflow=minimum&sections=outputs,requirements,state';
    const { body: view } = await server.get(`${path}/view?${query}`, { key: dev });
    await decide(path, 'D', view.receipt);
    return path;
  }

  it('reads the same, regardless of the content of hidden events', async () => {
    const long = 'line of no interest\n'.repeat(300);
    const [short, large] = [
      ['x', 'y', 'z'],
      [long, long, long],
    ];
    const paths = [await contextWith('short', short), await contextWith('large', large)];
    expect((await knowledgeOf(paths[1] ?? '', 'D')).leftOut.byBudget).not.toEqual([]);
    const answers = await Promise.all(
      paths.map((path) => knowledgeOf(path, 'D', { key: reviewer })),
    );
    const contents = answers.map(({ leftOut, recorded, items }) => ({
      leftOut,
      recorded,
      items,
    }));
    expect(contents[1]).toEqual(contents[0]);
    expect(contents[0]?.leftOut).toMatchObject({ byChoice: null, byBudget: null });
  });

  it('cannot derive hidden failures from the receipt of a failure analyst', async () => {
    const outputsOnly = { show: [{ types: ['StepOutputAdded', 'DecisionRecorded'] }] };
    const put = await server.call('PUT', '/v1/policies/outputs', { body: outputsOnly });
    expect(put.status).toBe(200);
    const key = await server.key({ role: 'agent', agentId: 'o', audiences: ['outputs'] });
    const analyst = { key: await server.key({ role: 'agent', audiences: ['failure-analyst'] }) };
    const path = await server.context('failing');
    await output(path, 'a');
    await decide(path, 'D', await read(path, analyst));
    const byAudience = (await knowledgeOf(path, 'D')).leftOut.byAudience;
    expect(byAudience).toContainEqual({ ref: 'step-output:a', version: 2 });
    expect((await knowledgeOf(path, 'D', { key })).leftOut.byAudience).toBeNull();
  });

  it('reads which items its own view shortened', async () => {
    const path = await server.context('its-own');
    const text = 'line of no interest\n'.repeat(300);
    await send(`${path}/requirements`, { requirementId: 'R1', kind: 'functional', text });
    await send(`${path}/requirements`, { requirementId: 'R2', kind: 'functional', text });
    const key = reviewer;
    const { body: view } = await server.get(`${path}/view?maxTokens=300`, { key });
    const headers = { 'based-on': view.receipt };
    await send(`${path}/decisions`, { decisionId: 'D', decision: 'd' }, { key, headers });
    const { leftOut } = await knowledgeOf(path, 'D', { key });
    expect(leftOut).toMatchObject({ byAudience: [], byChoice: [] });
    expect(leftOut.byBudget.map(({ ref }: { ref: string }) => ref)).toContain('requirement:R1');
  });
});
