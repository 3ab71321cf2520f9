import { connect } from 'node:net';

import { waitFor } from '#testing';

import { EventStream } from './event-stream.js';
import { OperatedServer } from './operated-server.js';
import { rootKey } from './root-key.js';
import { startServerProcess, stopServerProcesses } from './server-process.js';
import { ThroughlineServer } from './throughline-server.js';

const page = 'https://app.example';
const env = {
  THROUGHLINE_STREAMS_PER_KEY: '3',
  ALLOWED_HOSTS: 'api.example',
  CORS_ORIGINS: `${page},http://localhost:5173`,
};

describe('a server with live streams', () => {
  let server: ThroughlineServer;
  const open: EventStream[] = [];
  beforeAll(async () => {
    server = await ThroughlineServer.start(env);
  }, 120_000);
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });
  afterAll(() => server.stop());

  async function follow(path: string, options = {}): Promise<EventStream> {
    const stream = await EventStream.open(`${server.url}${path}`, options);
    open.push(stream);
    return stream;
  }

  it('streams the workspace, and continues after an id', async () => {
    const path = await server.context('of-workspace');
    const stream = await follow('/v1/stream?after=head');
    await stream.upToDate();
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 1 });
    await server.context('another');
    await stream.count(2);
    const { body } = await server.get('/v1/feed?limit=500');
    expect(stream.events.map(({ data }) => data)).toEqual(body.items.slice(-2));
    const resumed = await follow('/v1/stream', { lastEventId: stream.events[0]?.id ?? '' });
    await resumed.upToDate();
    expect(resumed.events).toEqual(stream.events.slice(1));
    // An id at the end of the history works, too, before there are newer events.
    const [upToDate] = stream.messages;
    const key = await server.key({ role: 'admin' });
    const other = await follow('/v1/stream?after=head', { key, lastEventId: upToDate?.id ?? '' });
    await other.count(stream.events.length);
    expect(other.events).toEqual(stream.events);
    const byCursor = await server.get(`/v1/stream?after=${body.nextCursor}`);
    expect(byCursor.text).not.toContain('event: event');
    const unknownId = await follow('/v1/stream', { lastEventId: 'what' });
    await unknownId.ended();
    expect(unknownId.reset).toBe('unknown-id');
    expect((await server.get('/v1/stream?after=what')).status).toBe(422);
  });

  it('refuses a key more streams than its limit, and frees the place of a closed one', async () => {
    const path = await server.context('capped');
    const key = await server.key({ role: 'agent', agentId: 'a' });
    const first = await follow(`${path}/stream`, { key });
    for (let n = 0; n < 2; n++) await follow(`${path}/stream`, { key });
    const refused = await server.get(`${path}/stream`, { key });
    expect([refused.status, refused.body.type]).toEqual([429, '/problems/rate-limited']);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    const waiting = server.get(`${path}/events?after=1&wait=60`, { key });
    await server.post(`${path}/step-outputs`, { stepId: 'a', output: 1 });
    expect((await waiting).status).toBe(200);
    first.close();
    const refusal = (error: Error) => {
      expect(error.message).toBe('answered with 429');
    };
    await waitFor('a place', () => follow(`${path}/stream`, { key }).catch(refusal), {
      until: (stream) => stream !== undefined,
    });
  });

  it('refuses unknown host names, except for health checks', async () => {
    const ask = (host: string, path = '/v1/me') => server.get(path, { headers: { host } });
    for (const host of ['evil.example', 'localhost.evil.example:3000', '10.0.0.1']) {
      const { status, body } = await ask(host);
      expect([status, body.type]).toEqual([421, '/problems/host-not-allowed']);
      expect((await ask(host, '/docs')).status).toBe(421);
      expect((await ask(host, '/health/live')).status).toBe(200);
    }
    for (const host of ['api.example', 'localhost:1', '127.0.0.1', '[::1]'])
      expect((await ask(host)).status).toBe(200);
  });

  it('refuses pages of unlisted origins, on every route', async () => {
    for (const path of ['/v1/me', '/docs', '/health/live', '/nowhere', '/v1/contexts/c/stream'])
      for (const origin of ['https://evil.example', 'null', `${page}.evil.example`, server.url]) {
        const { status, headers, body } = await server.get(path, { headers: { origin } });
        expect([path, status, body.type]).toEqual([path, 403, '/problems/origin-not-allowed']);
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
  });

  it('lets pages of listed origins call it, and read the headers of the answers', async () => {
    const preflight = await server.call('OPTIONS', '/v1/contexts/c', {
      key: null,
      headers: {
        origin: page,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization, if-match',
      },
    });
    expect([preflight.status, preflight.headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': page,
        'access-control-allow-methods': expect.stringContaining('PUT'),
        'access-control-allow-headers': expect.stringMatching(/Authorization.*If-Match/),
        vary: 'Origin',
      },
    ]);
    const path = await server.context('paged');
    const answer = await server.get(path, { headers: { origin: page } });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, page]);
    const exposed = String(answer.headers['access-control-expose-headers']);
    for (const name of ['ETag', 'Retry-After', 'X-Projection-Lag']) expect(exposed).toContain(name);
    const refused = await server.get('/v1/me', { key: null, headers: { origin: page } });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, page]);
    const stream = await follow(`${path}/stream`, { headers: { origin: page } });
    expect(stream.headers['access-control-allow-origin']).toBe(page);
    expect((await server.get(path)).headers).toMatchObject({ vary: 'Origin' });
  });

  it.each(['key', 'token', 'access_token', 'API_KEY', 'Authorization', 'accessToken', 'x-api-key'])(
    'refuses a key in a URL, as %s, with advice',
    async (name) => {
      for (const path of ['/v1/me', '/v1/contexts/c/stream', '/docs', '/mcp', '/nowhere'])
        for (const key of [rootKey, null]) {
          const { status, body } = await server.get(`${path}?${name}=${rootKey}`, { key });
          expect([path, status, body.errors?.[0]?.pointer]).toEqual([path, 422, `/${name}`]);
          expect(body.detail + JSON.stringify(body.errors)).toContain('send Authorization: Bearer');
          expect(JSON.stringify(body)).not.toContain(rootKey);
        }
      expect(server.log.join()).not.toContain(rootKey);
    },
  );
});

describe('servers that stop, and several servers', () => {
  afterEach(() => stopServerProcesses());

  it('end their streams cleanly, and do not wait for a client that does not read', async () => {
    const server = await ThroughlineServer.start({ THROUGHLINE_DRAIN_TIMEOUT_MS: '600000' });
    const path = await server.context('stopping');
    const output = 'x'.repeat(900_000);
    for (let n = 0; n < 12; n++) await server.post(`${path}/step-outputs`, { stepId: 's', output });
    const { hostname, port } = new URL(server.url);
    const idle = connect(Number(port), hostname).on('error', () => undefined);
    idle.write(
      `GET ${path}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${rootKey}\r\n\r\n`,
    );
    const stream = await EventStream.open(`${server.url}${path}/stream?after=12`);
    await stream.upToDate();
    const stopped = server.stop();
    expect(await stream.ended()).toBe('ended');
    expect(stream.reset).toBeUndefined();
    expect(await stopped).toBe(0);
    idle.destroy();
  }, 120_000);

  it('send events that another process stores, and end the streams of keys that it revokes', async () => {
    const operated = await OperatedServer.start();
    try {
      const other = await startServerProcess({ ...operated.env, PROJECTOR: 'external' });
      await operated.call('POST', 'contexts', { contextId: 'shared' });
      const { keyId, secret } = await operated.call('POST', 'keys', { role: 'agent' });
      const stream = await EventStream.open(`${other.address}/v1/contexts/shared/stream`, {
        key: secret,
      });
      await stream.upToDate();
      await operated.call('POST', 'contexts/shared/step-outputs', { stepId: 's', output: 1 });
      await stream.count(2);
      await fetch(`${operated.env['THROUGHLINE_URL']}/v1/keys/${keyId}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${operated.env['THROUGHLINE_KEY']}` },
      });
      await stream.ended();
      expect(stream.text).not.toContain(': ping');
      expect(stream.versions).toEqual([1, 2]);
    } finally {
      await operated.stop();
    }
  }, 120_000);
});
