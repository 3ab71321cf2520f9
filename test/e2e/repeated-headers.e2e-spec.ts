import { singleHeaders } from '../../apps/api/src/http/request-checks.js';
import { sendRaw } from './raw-request.js';
import { type Reply, rootKey, ThroughlineServer } from './throughline-server.js';

const body = '{"stepId":"s","output":1}';
/** One valid value of each header. */
const values: Readonly<Record<string, string>> = {
  host: 'localhost',
  authorization: `Bearer ${rootKey}`,
  'content-length': String(body.length),
  'content-type': 'application/json',
  'if-match': '"1"',
  'idempotency-key': 'a',
  'based-on': 'none',
  'correlation-id': 'a',
  'causation-id': 'a',
  trust: 'tool',
  'last-event-id': '1',
};
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe('repeated headers', () => {
  let server: ThroughlineServer;
  let path: string;
  beforeAll(async () => {
    server = await ThroughlineServer.shared();
    path = await server.context('repeated-headers');
  }, 120_000);
  afterEach(async () => {
    const { body: events } = await server.get(`${path}/events`);
    expect(events.items).toHaveLength(1);
  });
  afterAll(() => server.stop());

  function send(headers: readonly (readonly [string, string])[], sent = body): Promise<Reply> {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return sendRaw(server.url, `POST ${path}/step-outputs HTTP/1.1\r\n${lines}\r\n${sent}`);
  }

  function usual(...omitted: readonly string[]): [string, string][] {
    const all = { ...values, workspace: server.workspace };
    return Object.entries(all).filter(([name]) => !omitted.includes(name));
  }

  function expectInvalidHeader({ status, body: problem }: Reply, name: string) {
    expect([status, problem.type]).toEqual([400, '/problems/invalid-header']);
    expect(problem.detail.toLowerCase()).toContain(name);
  }

  it.each(Object.keys(singleHeaders).filter((name) => name !== 'transfer-encoding'))(
    'two %s headers are answered with invalid-header, also if they are equal',
    async (name) => {
      const repeated = { ...values, workspace: server.workspace }[name] ?? '';
      expectInvalidHeader(await send([...usual(), [name, repeated]]), name);
      expectInvalidHeader(await send([[name, '7'], ...usual()]), name);
    },
  );

  it('two transfer-encoding headers are answered with invalid-header', async () => {
    const encoding: [string, string] = ['transfer-encoding', 'chunked'];
    const answer = await send([...usual('content-length'), encoding, encoding], chunked);
    expectInvalidHeader(answer, 'transfer-encoding');
  });

  it('an invalid key is reported before the target is read', async () => {
    const stranger: [string, string] = ['authorization', 'Bearer nobody'];
    const condition: [string, string] = ['if-match', '"2"'];
    const { status } = await send([...usual('authorization'), stranger, condition]);
    expect(status).toBe(401);
  });

  it('a header after thousands of others is read', async () => {
    const many = Array.from({ length: 3_000 }, (): [string, string] => ['x', '']);
    const condition: [string, string] = ['if-match', '"7"'];
    const { status } = await send([...many, ...usual('if-match', 'based-on'), condition]);
    expect(status).toBe(412);
  });

  it.each(['a b', 'a/b', 'user@a', 'a:b', '[::1'])('the host %j is refused', async (host) => {
    expectInvalidHeader(await send([['host', host], ...usual('host')]), 'host');
  });

  it.each([
    ['', 412],
    ['127.0.0.1:', 412],
    ['[::1]:3000', 412],
    ['a', 421],
    ['a_b.example:3000', 421],
  ])('the host %j gets the status %d', async (host, expected) => {
    const { status } = await send([
      ['host', host],
      ...usual('host', 'if-match'),
      ['if-match', '"7"'],
    ]);
    expect(status).toBe(expected);
  });
});
