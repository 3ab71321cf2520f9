import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

/** Creates a context with one open handover by `sdd-architect` and an acknowledged one. */
async function finished(contextId: string): Promise<string> {
  const path = await server.context(contextId);
  const by = { agentId: 'sdd-architect' };
  await server.post(`${path}/handovers`, {
    handoverId: 'H-1',
    to: 'sdd-pe',
    priority: 'critical',
    ...by,
    note: 'Reads outnumber writes four to one',
    actionItems: ['Detail the contracts'],
  });
  await server.post(`${path}/handovers`, { handoverId: 'H-2', to: 'sdd-pe', note: 'done', ...by });
  await server.post(`${path}/handovers/H-2/acknowledge`);
  return path;
}

describe('a context that continues another one', () => {
  it('starts with the open handovers of the other one, with their authors and times', async () => {
    const before = await finished('story-1');
    const [open] = (await server.get(before)).body.handoverNotes;
    const { status, body } = await server.post('/v1/contexts', {
      contextId: 'story-2',
      continues: 'story-1',
    });
    expect([status, body.version]).toEqual([201, 2]);
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'ContextCreated',
      'HandoverNoted',
    ]);
    const document = (await server.get('/v1/contexts/story-2')).body;
    expect(document.continues).toBe('story-1');
    expect(document.handoverNotes).toEqual([
      { ...open, carriedFrom: { contextId: 'story-1', handoverId: 'H-1' } },
    ]);
    const events = (await server.get('/v1/contexts/story-2/events')).body.items;
    expect(events[1]).toMatchObject({
      principal: 'admin',
      origin: { agentId: 'sdd-architect', timestamp: open.timestamp },
    });
  });

  it('does not change the other one, and can be continued itself', async () => {
    const first = await finished('saga-1');
    await server.post('/v1/contexts', { contextId: 'saga-2', continues: 'saga-1' });
    await server.post('/v1/contexts/saga-2/handovers/H-1/acknowledge');
    await server.post('/v1/contexts', { contextId: 'saga-3', continues: 'saga-2' });
    await server.post('/v1/contexts', { contextId: 'saga-4', continues: 'saga-1' });
    const notes = async (path: string) => (await server.get(path)).body.handoverNotes;
    expect(await notes(first)).toMatchObject([{ status: 'open' }, { status: 'acknowledged' }]);
    expect(await notes('/v1/contexts/saga-2')).toMatchObject([{ status: 'acknowledged' }]);
    expect(await notes('/v1/contexts/saga-3')).toEqual([]);
    expect(await notes('/v1/contexts/saga-4')).toMatchObject([
      { status: 'open', carriedFrom: { contextId: 'saga-1' } },
    ]);
  });

  it('preserves the visibility and the trust of a handover', async () => {
    const path = await server.context('rough-1');
    const key = await server.key({ role: 'agent', agentId: 'scout' });
    const note = { handoverId: 'H', to: 'x', note: 'found on a page', visibility: 'working' };
    await server.post(`${path}/handovers`, note, { key, headers: { Trust: 'web' } });
    await server.post('/v1/contexts', { contextId: 'rough-2', continues: 'rough-1' });
    const { body } = await server.get('/v1/contexts/rough-2/events');
    expect(body.items).toMatchObject([
      { type: 'ContextCreated', trust: 'human', visibility: 'record' },
      { type: 'HandoverNoted', trust: 'web', visibility: 'working', origin: { agentId: 'scout' } },
    ]);
    const verdict = await server.get('/v1/contexts/rough-2/verify');
    expect(verdict.body).toMatchObject({ events: 2, broken: null });
  });

  it('reveals no hidden handover to a narrower audience', async () => {
    const path = await server.context('cold-1');
    const grant = { role: 'agent', agentId: 'rev', audiences: ['reviewer'] };
    const key = await server.key(grant);
    await server.post(`${path}/handovers`, { handoverId: 'mine', to: 'rev', note: 'look at it' });
    await server.post(`${path}/handovers`, { handoverId: 'secret', to: 'dev', note: 'secret' });
    const create = { contextId: 'cold-2', continues: 'cold-1' };
    const created = await server.post('/v1/contexts', create, { key });
    const read = await server.get('/v1/contexts/cold-2', { key });
    expect(read.body.handoverNotes).toMatchObject([{ handoverId: 'mine' }]);
    const events = await server.get('/v1/contexts/cold-2/events', { key });
    expect([created.text, read.text, events.text].join()).not.toContain('secret');
    const whole = await server.get('/v1/contexts/cold-2');
    expect(whole.body.handoverNotes).toMatchObject([{ handoverId: 'mine' }, { to: 'dev' }]);
  });

  it('starts with the handovers that are open after a restore', async () => {
    const path = await finished('undone-1');
    await server.post(`${path}/restore`, { version: 2 });
    await server.post('/v1/contexts', { contextId: 'undone-2', continues: 'undone-1' });
    const { body } = await server.get('/v1/contexts/undone-2');
    expect(body.handoverNotes).toMatchObject([{ handoverId: 'H-1' }]);
  });

  it.each(['nowhere', 'itself'])(
    'is refused if the other one does not exist: %s',
    async (continues) => {
      const answer = await server.post('/v1/contexts', { contextId: 'itself', continues });
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        [{ pointer: '/continues', detail: expect.any(String) }],
      ]);
      expect((await server.get('/v1/contexts/itself')).status).toBe(404);
    },
  );

  it('is refused if the other one is out of reach of the key', async () => {
    await finished('hidden');
    const key = await server.key({ role: 'agent', agentId: 'a', contexts: ['seen'] });
    const create = { contextId: 'seen', continues: 'hidden' };
    const answer = await server.post('/v1/contexts', create, { key });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, '/continues']);
    const workspace = server.workspaceNamed('other');
    const elsewhere = { headers: { workspace } };
    await server.key({ role: 'admin', workspace });
    const other = await server.post('/v1/contexts', { continues: 'hidden' }, elsewhere);
    expect(other.status).toBe(422);
  });

  it('gets the first answer if the request is repeated, even after an acknowledgment', async () => {
    const path = await finished('repeated');
    const create = { continues: 'repeated' };
    const options = { headers: { 'Idempotency-Key': 'again' } };
    const first = await server.post('/v1/contexts', create, options);
    await server.post(`${path}/handovers/H-1/acknowledge`);
    const second = await server.post('/v1/contexts', create, options);
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(first.body.version).toBe(2);
  });
});
