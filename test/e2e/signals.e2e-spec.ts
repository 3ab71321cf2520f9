import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const blockedText = [
  'I tried two ways of breaking the circle; both need `AuthService` first.',
  '',
  'I will not print IMPLEMENTATION COMPLETE: story-42-1 before that is settled.',
  '',
  '**IMPLEMENTATION BLOCKED: story-42-1 - `UserService` and `AuthService` need each other**',
].join('\n');

describe('signals', () => {
  it('are found in the text of an agent, and stored with their author', async () => {
    const path = await server.context('story-42-1');
    const key = await server.key({ role: 'agent', agentId: 'amelia' });
    const answer = await server.post(`${path}/signals`, { text: blockedText }, { key });
    expect(answer.status).toBe(201);
    expect(answer.headers['etag']).toBe('"2"');
    expect(answer.body).toEqual({
      contextId: 'story-42-1',
      version: 2,
      events: [{ eventId: expect.any(String), type: 'SignalEmitted', version: 2 }],
    });
    const reason = '`UserService` and `AuthService` need each other';
    const provenance = { agentId: 'amelia', timestamp: expect.any(String), version: 2 };
    expect((await server.get(path)).body.signals).toEqual([
      {
        signal: 'IMPLEMENTATION BLOCKED',
        subject: 'story-42-1',
        detail: { reason },
        ...provenance,
      },
    ]);
    expect((await server.get(`${path}?asOf=1`)).body.signals).toEqual([]);
    const { body } = await server.get(`${path}/diff?from=1&to=2`);
    expect(body.entriesChanged).toMatchObject([{ part: 'signals', before: null }]);
  });

  it('are one event each, regardless of their number in a text', async () => {
    const path = await server.context('several');
    const text = 'REVIEW PASSED: s-1\n\n## RETRO COMPLETE: Epic 42\n\nREVIEW FAILED: s-2 - leaks';
    const { status, body } = await server.post(`${path}/signals`, { text, visibility: 'record' });
    expect([status, body.version, body.events.length]).toEqual([201, 4, 3]);
    expect((await server.get(path)).body.signals).toMatchObject([
      { signal: 'REVIEW PASSED', subject: 's-1' },
      { signal: 'RETRO COMPLETE', subject: '42' },
      { signal: 'REVIEW FAILED', subject: 's-2', detail: { reason: 'leaks' } },
    ]);
  });

  it.each(['', 'All good.', '> REVIEW PASSED: s-1', '```\nREVIEW PASSED: s-1\n```'])(
    'are not found in %j, which changes nothing',
    async (text) => {
      const path = await server.context('silent');
      const { status, headers, body } = await server.post(`${path}/signals`, { text });
      expect([status, headers['etag'], body.events]).toEqual([200, '"1"', []]);
    },
  );

  it('may be stated as fields, also in a batch and for another agent', async () => {
    const path = await server.context('stated');
    const signal = {
      signal: 'ANALYSIS COMPLETE',
      subject: 'story-42-1',
      detail: { recommendation: 'Retry' },
    };
    const first = await server.post(`${path}/signals`, { ...signal, agentId: 'bob' });
    expect([first.status, first.body.version]).toEqual([201, 2]);
    const events = [
      { type: 'SignalEmitted', data: signal },
      { type: 'SignalEmitted', data: signal, visibility: 'working' },
    ];
    expect((await server.post(`${path}/events`, { events })).status).toBe(201);
    expect((await server.get(path)).body.signals).toMatchObject([
      { ...signal, agentId: 'bob', version: 2 },
      { ...signal, agentId: 'admin', version: 3 },
      { ...signal, agentId: 'admin', version: 4 },
    ]);
  });

  it('are refused because of an unknown member, with a suggestion', async () => {
    const path = await server.context('misspelt-signals');
    const errorsOf = async (sent: object) => {
      const { status, body } = await server.post(`${path}/signals`, sent);
      expect(status).toBe(422);
      return body.errors;
    };
    expect(await errorsOf({ txt: blockedText })).toMatchObject([
      { pointer: '/txt', suggestion: 'text' },
    ]);
    const known = 'text, signal, subject, detail, visibility, agentId';
    expect(await errorsOf({ zebra: 1 })).toEqual([
      { pointer: '/zebra', detail: `is not known here; known members: ${known}` },
    ]);
    expect(await errorsOf({})).toMatchObject([{ pointer: '/signal' }]);
    expect(await errorsOf({ signal: 'REVIEW PASSED', sbject: 's' })).toMatchObject([
      { pointer: '/subject' },
      { pointer: '/sbject', suggestion: 'subject' },
    ]);
  });

  it('are stored once if the same request is repeated', async () => {
    const path = await server.context('repeated');
    const options = { headers: { 'idempotency-key': 'once' } };
    const first = await server.post(`${path}/signals`, { text: blockedText }, options);
    const repeated = await server.post(`${path}/signals`, { text: blockedText }, options);
    expect([repeated.status, repeated.text]).toEqual([first.status, first.text]);
    expect((await server.get(path)).body.signals).toHaveLength(1);
  });

  it('may be added in a whole document, but not changed there', async () => {
    const path = await server.context('replaced');
    await server.post(`${path}/signals`, { text: 'KICKOFF COMPLETE: s-1' });
    const { signals } = (await server.get(path)).body;
    const put = (body: object, version: number) =>
      server.call('PUT', path, { body, headers: { 'if-match': `"${version}"` } });
    const added = { signal: 'IMPLEMENTATION COMPLETE', subject: 's-1' };
    const answer = await put({ signals: [...signals, added] }, 2);
    expect([answer.status, answer.body.events.length]).toEqual([201, 1]);
    expect((await server.get(path)).body.signals).toMatchObject([...signals, added]);
    const refused = await put({ signals: [{ ...signals[0], subject: 's-2' }] }, 3);
    expect([refused.status, refused.body.type]).toEqual([422, '/problems/not-expressible']);
  });

  it('are inherited by a fork, in addition to new ones', async () => {
    const path = await server.context('forked');
    await server.post(`${path}/signals`, { text: 'KICKOFF COMPLETE: s-1' });
    await server.post(`${path}/forks`, { atVersion: 2, contextId: 'fork' });
    await server.post('/v1/contexts/fork/signals', { text: 'IMPLEMENTATION COMPLETE: s-1' });
    expect((await server.get('/v1/contexts/fork')).body.signals).toMatchObject([
      { signal: 'KICKOFF COMPLETE', version: 1 },
      { signal: 'IMPLEMENTATION COMPLETE', version: 2 },
    ]);
  });

  it.each([
    [{}, '/signal'],
    [{ signal: 'DONE', subject: 's-1' }, '/signal'],
    [{ signal: 'REVIEW PASSED' }, '/subject'],
    [{ signal: 'REVIEW PASSED', subject: 's\u0000' }, '/subject'],
    [{ signal: 'REVIEW PASSED', subject: 's-1', detail: { reason: 'r' } }, '/detail'],
    [{ signal: 'REVIEW FAILED', subject: 's-1', detail: { fixes: 1 } }, '/detail/reason'],
    [{ text: 1 }, '/text'],
    [{ text: 'REVIEW PASSED: s-1', signal: 'REVIEW PASSED' }, '/signal'],
    [{ text: Array.from({ length: 501 }, (_, n) => `REVIEW PASSED: s-${n}`).join('\n') }, '/text'],
  ])('are refused with a pointer: %#', async (body, pointer) => {
    const path = await server.context('refusing');
    const answer = await server.post(`${path}/signals`, body);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it.each(['KICKOFF COMPLETE: s-1', 'nothing to signal'])(
    'need a context that is there, open, and theirs to write: %s',
    async (text) => {
      expect((await server.post('/v1/contexts/unknown/signals', { text })).status).toBe(404);
      const path = await server.context('closed');
      await server.post(`${path}/close`);
      const closed = await server.post(`${path}/signals`, { text });
      expect([closed.status, closed.body.type]).toEqual([409, '/problems/context-closed']);
      const key = await server.key({ role: 'auditor' });
      expect((await server.post(`${path}/signals`, { text }, { key })).status).toBe(403);
    },
  );
});
