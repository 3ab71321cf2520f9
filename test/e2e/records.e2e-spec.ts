import { ThroughlineServer } from './throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
}, 120_000);

afterAll(() => server.stop());

const kickoff = {
  recordId: 'kickoff',
  kind: 'kickoff-insights',
  title: 'Story Kickoff Insights',
  participants: ['Winston (Architect)', 'Amelia (Developer)', 'Murat (Test Architect)'],
  fields: {
    notes: ['reuse the middleware of lib/auth', 'mind the rate limit of the external API'],
    strategy: ['extend the service instead of writing another'],
    testing: ['unit tests of the service', 'one integration test of the whole flow'],
    risks: 'a migration is needed for the new fields',
  },
};

const devRecord = {
  recordId: 'dev',
  kind: 'dev-record',
  body: '## Dev Agent Record\r\n\r\nRegistration, with e-mail verification. 😀\n',
  fields: {
    summary: 'registration with e-mail verification',
    filesCreated: ['src/services/UserService.ts', 'src/routes/users.ts'],
    filesModified: ['src/app.ts'],
    keyDecisions: ['bcrypt for passwords'],
    testsAdded: ['test/services/UserService.test.ts'],
    notesForReviewer: ['the templates need a look', 'rate limiting comes with the next story'],
  },
};

describe('records', () => {
  it('are the sections of a story, in the order of appending, exactly as sent', async () => {
    const path = await server.context('story-42-1');
    const key = await server.key({ role: 'agent', agentId: 'amelia' });
    const first = await server.post(`${path}/records`, kickoff, { key });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ recordId: 'kickoff', events: [{ type: 'RecordAppended' }] });
    await server.post(`${path}/records`, devRecord, { key });
    const provenance = { agentId: 'amelia', timestamp: expect.any(String) };
    expect((await server.get(path)).body.records).toEqual([
      { ...kickoff, ...provenance, version: 2 },
      { ...devRecord, ...provenance, version: 3 },
    ]);
    expect((await server.get(`${path}?asOf=2`)).body.records).toHaveLength(1);
    const { body } = await server.get(`${path}/diff?from=2&to=3`);
    expect(body.entriesChanged).toMatchObject([{ part: 'records', key: 'dev', before: null }]);
  });

  it('get an id if none is sent, and add no event if they are repeated', async () => {
    const path = await server.context('again');
    const { body } = await server.post(`${path}/records`, { kind: 'custom', fields: { a: 1 } });
    expect(body.recordId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    await server.post(`${path}/records`, devRecord);
    const again = await server.post(`${path}/records`, devRecord);
    expect([again.status, again.body.version, again.body.events]).toEqual([200, 3, []]);
    const other = await server.post(`${path}/records`, { ...devRecord, body: 'else' });
    expect([other.status, other.body.errors[0].pointer]).toEqual([422, '/recordId']);
  });

  it.each([
    [{ kind: 'diary', body: 'b' }, '/kind'],
    [{ body: 'b' }, '/kind'],
    [{ kind: 'dev-record' }, '/body'],
    [{ kind: 'dev-record', fields: {} }, '/body'],
    [{ kind: 'dev-record', fields: { notes: 'n' } }, '/fields/notes'],
    [{ kind: 'kickoff-insights', fields: { notes: 1 } }, '/fields/notes'],
    [{ kind: 'failure-analysis', fields: { recommendation: 'retry' } }, '/fields/recommendation'],
    [{ kind: 'custom', fields: [] }, '/fields'],
    [{ kind: 'uat', body: 'b', since: 1 }, '/since'],
  ])('with %j are refused with a pointer', async (record, pointer) => {
    const path = await server.context('refusing');
    const { status, body } = await server.post(`${path}/records`, record);
    expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      422,
      [pointer],
    ]);
    const data = { type: 'RecordAppended', data: record };
    const batch = await server.post(`${path}/events`, { events: [data] });
    expect([batch.status, batch.body.errors[0].pointer]).toEqual([422, `/events/0/data${pointer}`]);
  });
});
