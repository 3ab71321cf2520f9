import { currentAnswer } from './caught-up.js';
import { proveHttpPage } from './docs/http-page.js';
import { patient } from './docs/patient-server.js';
import { type CallOptions, ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

/** A page of the inbox of an agent, once its rows are current. */
function inbox(agent: string, key: string, query = '') {
  return currentAnswer(() => server.get(`/v1/agents/${agent}/inbox${query}`, { key }));
}

type Entry = Readonly<{
  kind: string;
  contextId: string;
  priority: string;
  entry: Record<string, unknown>;
}>;

/** The summary of an entry, which distinguishes it from others. */
function summaryOf({ kind, contextId, priority, entry }: Entry) {
  const { handoverId, inputRequestId, decisionId, subject } = entry;
  return [kind, contextId, priority, handoverId ?? inputRequestId ?? decisionId ?? subject];
}

/** A separate workspace: the key of a person, and functions that act in it. */
async function workspace(label: string) {
  const name = server.workspaceNamed(label);
  const person = await server.key({ role: 'operator', workspace: name });
  const options: CallOptions = { key: person };
  const key = (grant: object) => server.key({ workspace: name, ...grant });
  const post = async (path: string, body: object = {}, as = options) => {
    const answer = await server.post(`/v1/contexts${path}`, body, as);
    expect([path, answer.status]).toEqual([path, 201]);
  };
  return { person, key, post };
}

describe('the inbox of an agent', () => {
  it('contains handovers and input requests to the agent: by priority, then oldest first', async () => {
    const { person, key, post } = await workspace('pressing');
    const pe = await key({ role: 'agent', agentId: 'sdd-pe' });
    for (const contextId of ['a', 'b']) await post('', { contextId, title: `Story ${contextId}` });
    const note = (handoverId: string, more: object) => ({
      handoverId,
      to: 'sdd-pe',
      note: 'n',
      ...more,
    });
    await post('/a/handovers', note('low', { priority: 'low' }));
    await post('/b/handovers', note('usual', {}));
    await post('/a/input-requests', { inputRequestId: 'asked', path: 'p', from: 'sdd-pe' });
    await post('/b/handovers', note('critical', { priority: 'critical' }));
    await post('/a/handovers', note('another', { to: 'sdd-le', priority: 'critical' }));
    await post('/a/handovers', note('done', { priority: 'high' }));
    await post('/a/handovers/done/acknowledge');
    await post('/a/input-requests', { inputRequestId: 'met', path: 'p', from: 'sdd-pe' });
    await post('/a/input-requests/met/provide');
    const expected = [
      ['handover', 'b', 'critical', 'critical'],
      ['handover', 'b', 'medium', 'usual'],
      ['input-request', 'a', 'medium', 'asked'],
      ['handover', 'a', 'low', 'low'],
    ];
    const { body } = await inbox('sdd-pe', pe);
    expect(body.items.map(summaryOf)).toEqual(expected);
    expect(body.nextCursor).toBeNull();
    const { body: document } = await server.get('/v1/contexts/a', { key: pe });
    expect(body.items[3]).toEqual({
      contextId: 'a',
      title: 'Story a',
      kind: 'handover',
      priority: 'low',
      entry: document.handoverNotes[0],
    });
    expect((await inbox('sdd-pe', person)).body.items.map(summaryOf)).toEqual(expected);
    expect((await inbox('sdd-ba', person, '?status=open')).body.items).toEqual([]);
  });

  it('can be restricted to a context', async () => {
    const { person, key, post } = await workspace('one-context');
    const narrow = await key({ role: 'agent', agentId: 'x', contexts: ['a'] });
    for (const contextId of ['a', 'b']) {
      await post('', { contextId });
      for (const nth of [1, 2, 3])
        await post(`/${contextId}/handovers`, {
          handoverId: `${contextId}${nth}`,
          to: 'x',
          note: 'n',
        });
    }
    const ids = async (reader: string, query: string) =>
      (await inbox('x', reader, query)).body.items.map(({ entry }: Entry) => entry['handoverId']);
    expect(await ids(person, '?contextId=b')).toEqual(['b1', 'b2', 'b3']);
    expect(await ids(narrow, '?contextId=a&limit=2')).toEqual(['a1', 'a2']);
    expect(await ids(narrow, '?contextId=b')).toEqual([]);
    expect(await ids(person, '?contextId=none')).toEqual([]);
    expect((await inbox('x', person, '?contextId=a%20b')).status).toBe(422);
  });

  it('has pages, regardless of the characters in ids', async () => {
    const { person, post } = await workspace('paged');
    await post('', { contextId: 'a' });
    const names = ['ä 😀', '__proto__', 'b"\\', 'x'.repeat(256), '%2F', 'z'];
    for (const handoverId of names) await post('/a/handovers', { handoverId, to: 'x', note: 'n' });
    const listed: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await inbox('x', person, `?limit=2${cursor}`);
      expect(body.items.length).toBeLessThanOrEqual(2);
      listed.push(...body.items.map(({ entry }: Entry) => entry['handoverId']));
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor !== '');
    expect(listed).toEqual(names);
    const foreign = Buffer.from('[1,"a"]').toString('base64url');
    for (const text of ['!', foreign]) {
      const answer = await inbox('x', person, `?cursor=${text}`);
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/cursor']);
    }
    expect((await inbox('x', person, '?status=done')).status).toBe(422);
  });

  it("contains entries to an audience of the agent's key, which may acknowledge them", async () => {
    const { person, key, post } = await workspace('to-an-audience');
    const bound = (agentId: string, audiences: readonly string[]) =>
      key({ role: 'agent', agentId, audiences });
    const [review, bothAudiences, developer, unrestricted, namedAsAudience] = [
      await bound('review', ['reviewer']),
      await bound('second', ['all', 'reviewer']),
      await bound('dev', ['developer']),
      await bound('orchestrator', ['all']),
      await bound('reviewer', ['reviewer']),
    ];
    await post('', { contextId: 'a' });
    await post('/a/handovers', { handoverId: 'h', to: 'reviewer', note: 'look at it' });
    await post('/a/handovers', { handoverId: 'all', to: 'all', note: 'to nobody' });
    await post('/a/input-requests', { inputRequestId: 'i', path: 'p', from: 'reviewer' });
    const expected = [
      ['handover', 'a', 'medium', 'h'],
      ['input-request', 'a', 'medium', 'i'],
    ];
    for (const [agentId, as] of [
      ['review', review],
      ['second', bothAudiences],
      ['reviewer', namedAsAudience],
    ] as const)
      expect((await inbox(agentId, as)).body.items.map(summaryOf)).toEqual(expected);
    for (const [agentId, as] of [
      ['dev', developer],
      ['orchestrator', unrestricted],
      ['review', person],
    ] as const)
      expect((await inbox(agentId, as)).body.items).toEqual([]);
    const acknowledge = (as: string, id = 'h') =>
      server.post(`/v1/contexts/a/handovers/${id}/acknowledge`, {}, { key: as });
    const statuses = async (...answers: Promise<{ status: number }>[]) =>
      (await Promise.all(answers)).map(({ status }) => status);
    expect(await statuses(acknowledge(developer), acknowledge(unrestricted))).toEqual([404, 403]);
    expect(
      await statuses(acknowledge(unrestricted, 'all'), acknowledge(bothAudiences, 'all')),
    ).toEqual([403, 403]);
    expect((await acknowledge(review)).status).toBe(201);
    for (const [agentId, as] of [
      ['review', review],
      ['reviewer', namedAsAudience],
    ] as const)
      expect((await inbox(agentId, as)).body.items.map(summaryOf)).toEqual([expected[1]]);
    const { body } = await server.get('/v1/contexts/a', { key: unrestricted });
    expect(body.handoverNotes[0]).toMatchObject({ status: 'acknowledged' });
  });

  it('may be read with its own key and by people', async () => {
    const { person, key } = await workspace('own');
    const [ada, auditor] = [
      await key({ role: 'agent', agentId: 'ada' }),
      await key({ role: 'auditor' }),
    ];
    const statuses = [ada, person, auditor].map(async (as) => [
      (await inbox('ada', as)).status,
      (await inbox('bob', as)).status,
    ]);
    expect(await Promise.all(statuses)).toEqual([
      [200, 403],
      [200, 200],
      [200, 200],
    ]);
  });

  it('contains entries of open contexts in reach of the key', async () => {
    const { person, key, post } = await workspace('reached');
    const workflow = { definitionId: 'sdd', version: 1 };
    await post('', { contextId: 'epic' });
    await post('', { contextId: 'child', parent: 'epic' });
    await post('', { contextId: 'flow', workflow });
    await post('', { contextId: 'closed' });
    for (const id of ['epic', 'child', 'flow', 'closed'])
      await post(`/${id}/handovers`, { handoverId: id, to: 'ada', note: 'n' });
    await post('/closed/close');
    const places = async (as: string) =>
      (await inbox('ada', as)).body.items.map(({ contextId }: Entry) => contextId).sort();
    const agent = { role: 'agent', agentId: 'ada' };
    expect(await places(await key(agent))).toEqual(['child', 'epic', 'flow']);
    expect(await places(await key({ ...agent, contexts: ['epic'] }))).toEqual(['child', 'epic']);
    expect(await places(await key({ ...agent, workflows: ['sdd'] }))).toEqual(['flow']);
    await post('/closed/reopen');
    expect(await places(person)).toEqual(['child', 'closed', 'epic', 'flow']);
    const elsewhere = await workspace('elsewhere');
    expect(await places(elsewhere.person)).toEqual([]);
  });

  it('contains the open entries after a restore, and those of a fork', async () => {
    const { person, post } = await workspace('restored');
    await post('', { contextId: 'a' });
    await post('/a/handovers', { handoverId: 'first', to: 'ada', note: 'n' });
    await post('/a/handovers/first/acknowledge');
    await post('/a/handovers', { handoverId: 'second', to: 'ada', note: 'n' });
    expect((await inbox('ada', person)).body.items.map(summaryOf)).toEqual([
      ['handover', 'a', 'medium', 'second'],
    ]);
    await post('/a/forks', { atVersion: 2, contextId: 'fork' });
    await post('/a/restore', { version: 2 });
    const places = (await inbox('ada', person)).body.items.map(summaryOf);
    expect(places).toEqual([
      ['handover', 'a', 'medium', 'first'],
      ['handover', 'fork', 'medium', 'first'],
    ]);
    await post('/fork/handovers/first/acknowledge');
    expect((await inbox('ada', person)).body.items).toHaveLength(1);
  });
});

describe('the inbox of a person', () => {
  it('contains tripped breakers and pending decisions of the workspace; the inbox of an agent does not', async () => {
    const { person, key, post } = await workspace('people');
    const ada = await key({ role: 'agent', agentId: 'ada' });
    await post('', { contextId: 'a' });
    const decision = { decisionId: 'DEC-1', decision: 'Use PostgreSQL', requiresApproval: true };
    await post('/a/decisions', decision);
    for (let n = 0; n < 3; n++) await post('/a/iterations', { subject: 'design_l1' });
    const refused = await server.post(
      '/v1/contexts/a/iterations',
      { subject: 'design_l1' },
      { key: person },
    );
    expect([refused.status, refused.body.type]).toEqual([409, '/problems/circuit-open']);
    await post('/a/handovers', { handoverId: 'H', to: 'ada', note: 'n', priority: 'critical' });
    const { body } = await inbox('ada', person);
    expect(body.items.map(summaryOf)).toEqual([
      ['handover', 'a', 'critical', 'H'],
      ['circuit-breaker', 'a', 'high', 'design_l1'],
      ['decision', 'a', 'medium', 'DEC-1'],
    ]);
    expect((await inbox('ada', ada)).body.items.map(summaryOf)).toEqual([
      ['handover', 'a', 'critical', 'H'],
    ]);
    await post('/a/circuit-breakers/design_l1/reset');
    await post('/a/decisions/DEC-1/approve');
    expect((await inbox('bob', person)).body.items).toEqual([]);
  });
});

describe('the inbox of a narrower audience', () => {
  it('contains its visible entries, also those that only hidden events have ended', async () => {
    const { key, post } = await workspace('narrow');
    const agent = { role: 'agent', agentId: 'ada' };
    const [narrowKey, unrestricted] = [
      await key({ ...agent, audiences: ['developer'] }),
      await key({ ...agent }),
    ];
    await post('', { contextId: 'a' });
    const note = (handoverId: string, more: object = {}) =>
      post('/a/handovers', { handoverId, to: 'ada', note: 'n', ...more });
    await note('open');
    await note('hidden', { visibility: 'working' });
    await note('by-me');
    await post('/a/handovers/by-me/acknowledge', {}, { key: narrowKey });
    await note('by-another');
    const hiddenAcknowledgement = { note: 'unseen', visibility: 'working' };
    await post('/a/handovers/by-another/acknowledge', hiddenAcknowledgement);
    await note('for-me');
    await post('/a/handovers/for-me/acknowledge');
    const ids = async (as: string) =>
      (await inbox('ada', as)).body.items.map(({ entry }: Entry) => entry['handoverId']);
    expect(await ids(unrestricted)).toEqual(['open', 'hidden']);
    expect(await ids(narrowKey)).toEqual(['open', 'by-another']);
    const { body } = await inbox('ada', narrowKey, '?limit=1');
    const nextPage = await inbox('ada', narrowKey, `?limit=1&cursor=${body.nextCursor}`);
    expect(nextPage.body.items[0].entry).toMatchObject({
      handoverId: 'by-another',
      status: 'open',
    });
    expect(nextPage.text).not.toContain('unseen');
  });
});

it('docs/handovers.md shows the real answers to its requests', () =>
  proveHttpPage('handovers.md', patient(server)));
