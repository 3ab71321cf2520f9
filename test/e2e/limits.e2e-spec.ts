import { ThroughlineServer } from './throughline-server.js';

const mebibyte = 1_048_576;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('the limits of a request', () => {
  let server: ThroughlineServer;
  let path: string;
  beforeAll(async () => {
    server = await ThroughlineServer.shared();
    path = await server.context('limits');
  }, 120_000);
  afterAll(() => server.stop());

  const padded = (length: number) => `{}${' '.repeat(length - 2)}`;
  const starts = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ type: 'StepStarted', data: { stepId: `s${at}` } }));
  const ifMatch = { headers: { 'if-match': '"1"' } };

  it.each([
    ['a body', 'PATCH', '/preferences', mebibyte],
    ['a document', 'PUT', '', 16 * mebibyte],
  ])('%s by %s %s has at most %i bytes', async (_, method, below, limit) => {
    const send = (length: number) =>
      server.call(method, path + below, { text: padded(length), ...ifMatch });
    expect((await send(limit)).status).toBe(200);
    const { status, body } = await send(limit + 1);
    expect([status, body.type]).toEqual([413, '/problems/payload-too-large']);
  });

  it('the headers of a request have at most 16 KiB', async () => {
    const send = (length: number) => server.get(path, { headers: { x: 'a'.repeat(length) } });
    expect((await send(15 * 1024)).status).toBe(200);
    const { status, body } = await send(16 * 1024);
    expect([status, body.type]).toEqual([400, '/problems/invalid-header']);
  });

  it('JSON has at most 64 levels of nesting', async () => {
    const send = (depth: number) =>
      server.call('POST', `${path}/step-outputs`, {
        text: `{"stepId":"s","output":${nested(depth - 1)}}`,
      });
    expect((await send(64)).status).toBe(201);
    const { status, body } = await send(65);
    expect([status, body.type]).toEqual([422, '/problems/validation-failed']);
  });

  it('a page has at most 500 items', async () => {
    expect((await server.get(`${path}/events?limit=500`)).status).toBe(200);
    const { status, body } = await server.get(`${path}/events?limit=501`);
    expect([status, body.type]).toEqual([422, '/problems/validation-failed']);
  });

  it('a batch has at most 500 events', async () => {
    const send = (count: number) => server.post(`${path}/events`, { events: starts(count) });
    expect((await send(500)).body.events).toHaveLength(500);
    const { status, body } = await send(501);
    expect([status, body.type]).toEqual([422, '/problems/validation-failed']);
  });

  it('the answer to a failed condition contains at most 100 missed events', async () => {
    const contextPath = await server.context('missed');
    const close = async () => (await server.post(`${contextPath}/close`, {}, ifMatch)).body;
    await server.post(`${contextPath}/events`, { events: starts(100) });
    expect(await close()).toMatchObject({ currentVersion: 101, missedTruncated: false });
    expect((await close()).missed).toHaveLength(100);
    await server.post(`${contextPath}/step-outputs`, { stepId: 's', output: 1 });
    expect(await close()).toMatchObject({ currentVersion: 102, missedTruncated: true });
    expect((await close()).missed).toHaveLength(100);
  });

  it('a receipt names at most 100 of the events that cite it', async () => {
    const cited = await server.context('cited');
    const receipt = String((await server.get(cited)).headers['receipt']);
    const citing = { headers: { 'based-on': receipt } };
    const citations = async () => (await server.get(`/v1/receipts/${receipt}`)).body;
    await server.post(`${cited}/events`, { events: starts(100) }, citing);
    expect(await citations()).toMatchObject({ citedByTruncated: false });
    await server.post(`${cited}/step-outputs`, { stepId: 's', output: 1 }, citing);
    expect(await citations()).toMatchObject({ citedByTruncated: true });
    expect((await citations()).citedBy).toHaveLength(100);
  });
});
