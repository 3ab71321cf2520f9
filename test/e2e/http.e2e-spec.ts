import { waitFor } from '#testing';

import { beginRequest } from './begun-request.js';
import { EventStream } from './event-stream.js';
import { sendBeforeReading } from './raw-request.js';
import { rootKey, ThroughlineServer } from './throughline-server.js';

type LogLine = Readonly<Record<string, unknown>>;

/** The lines of the request log with one request id, as soon as there is one. */
function logged(server: ThroughlineServer, requestId: string): Promise<LogLine[]> {
  const lines = () =>
    server.log
      .filter((line) => line.startsWith('{'))
      .map((line): LogLine => JSON.parse(line))
      .filter((line) => line['requestId'] === requestId);
  return waitFor(`a log line of request ${requestId}`, lines, {
    until: ({ length }) => length > 0,
  });
}

describe('the HTTP server', () => {
  let server: ThroughlineServer;
  beforeAll(async () => void (server = await ThroughlineServer.start()), 120_000);
  afterAll(() => server.stop());

  it('returns X-Request-Id with every kind of answer', async () => {
    const headers = { 'x-request-id': 'trace-42' };
    const path = await server.context('echo');
    const answers = [
      await server.get(path, { headers }),
      await server.get(path, { headers: { ...headers, 'if-none-match': '*' } }),
      await server.get('/docs', { headers, key: null }),
      await server.get('/nowhere', { headers }),
      await server.get('/v1/me', { headers, key: null }),
      await server.get(`${path}/step-outputs/%ff`, { headers }),
      await server.get(`${path}/step-outputs/${'a'.repeat(5000)}`, { headers }),
      await server.call('POST', path, { headers, text: '{' }),
      await server.call('POST', `${path}/close`, { headers, text: '{' }),
      await server.call('POST', `${path}/close`, { headers, text: ' '.repeat(1_048_577) }),
      await server.call('POST', `${path}/close`, {
        headers: { ...headers, 'content-type': 'text/plain' },
        text: 'x',
      }),
    ];
    expect(answers.map((answer) => answer.headers['x-request-id'])).toEqual(
      answers.map(() => 'trace-42'),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      200, 304, 200, 404, 401, 422, 422, 400, 400, 413, 415,
    ]);
  });

  it('generates a request id if none or an invalid one is sent', async () => {
    for (const headers of [{}, { 'x-request-id': 'a b' }, { 'x-request-id': 'x'.repeat(200) }]) {
      const { headers: answered } = await server.get('/health/live', { headers });
      expect(answered['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('logs one line per request, without query, body or secret', async () => {
    const path = await server.context('logged');
    await server.call('POST', `${path}/step-outputs?`, {
      body: { stepId: 'private-step', output: 'private-output' },
      headers: { 'x-request-id': 'log-1', 'correlation-id': 'job-1' },
    });
    await server.get(`${path}/decisions?topic=private-topic`, {
      headers: { 'x-request-id': 'log-2' },
    });
    expect(await logged(server, 'log-1')).toMatchObject([
      {
        method: 'POST',
        route: '/v1/contexts/:contextId/step-outputs',
        status: 201,
        durationMs: expect.any(Number),
        correlationId: 'job-1',
        principal: 'admin',
        workspace: 'default',
      },
    ]);
    expect(await logged(server, 'log-2')).toHaveLength(1);
    const all = server.log.join('\n');
    expect(all).not.toMatch(/private-/);
    expect(all).not.toContain(rootKey);
  });

  it('logs a warning for each version conflict: context, expected and actual version', async () => {
    const path = await server.context('conflicting');
    await server.post(`${path}/step-outputs`, { stepId: 's', output: 1 });
    const headers = { 'if-match': '"1"', 'correlation-id': 'job-2' };
    expect((await server.post(`${path}/close`, {}, { headers })).status).toBe(412);
    const body = { _version: 1, userPreferences: { secret: 'value' } };
    expect((await server.call('PUT', path, { body })).status).toBe(412);
    const lines = await waitFor(
      'two warnings of conflicts',
      () =>
        server.log
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line))
          .filter(({ conflict }) => conflict?.contextId === 'conflicting'),
      { until: (found) => found.length === 2 },
    );
    const versions = { expectedVersion: 1, currentVersion: 2 };
    expect(lines).toEqual(
      ['job-2', null].map((correlationId) => ({
        level: 'warn',
        time: expect.any(String),
        msg: 'version conflict',
        conflict: {
          workspace: 'default',
          contextId: 'conflicting',
          ...versions,
          principal: 'admin',
          correlationId,
        },
      })),
    );
  });

  it('logs each write for audit: principal, types of events, and version', async () => {
    await server.context('audited');
    const line = server.log
      .map((text) => (text.startsWith('{') ? JSON.parse(text) : {}))
      .find(({ audit }) => audit?.contextId === 'audited');
    expect(line).toMatchObject({
      time: expect.any(String),
      audit: { principal: 'admin', workspace: 'default', version: 1, types: ['ContextCreated'] },
    });
  });

  it('reports liveness and readiness, and counts requests by route', async () => {
    const anonymous = { key: null };
    expect((await server.get('/health/live', anonymous)).status).toBe(200);
    const ready = await server.get('/health/ready', anonymous);
    expect([ready.status, ready.body]).toEqual([
      200,
      { status: 'ready', checks: expect.objectContaining({ database: 'answers' }) },
    ]);
    // The metrics omit a part that does not answer within a second.
    const lag = /throughline_projection_lag_events\{projection="shared-context"\} \d+/;
    const { headers, text } = await waitFor(
      'metrics with the lag of the projection',
      () => server.get('/metrics', anonymous),
      { until: (metrics) => lag.test(metrics.text) },
    );
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toMatch(/_count\{method="POST",route="\/v1\/contexts",status="201"\} \d+/);
  });

  it('counts open streams', async () => {
    const waitForCount = (count: number) =>
      waitFor('the number of open streams', () => server.get('/metrics', { key: null }), {
        until: ({ text }) => text.includes(`\nthroughline_streams_open ${count}\n`),
      });
    await waitForCount(0);
    const path = await server.context('streamed');
    const streams = [
      await EventStream.open(`${server.url}${path}/stream`),
      await EventStream.open(`${server.url}/v1/stream`),
    ];
    await waitForCount(2);
    for (const stream of streams) stream.close();
    await waitForCount(0);
  });

  it('serves its documentation without a key', async () => {
    const { body } = await server.get('/openapi.json', { key: null });
    expect([body.openapi, body.info.title]).toEqual(['3.1.0', 'Throughline']);
    expect((await server.get('/docs', { key: null })).text).toContain('/v1/contexts/{contextId}');
  });

  it('answers HEAD like GET, without the body', async () => {
    const path = await server.context('head');
    const { status, headers, text } = await server.call('HEAD', path);
    expect([status, headers['etag'], text]).toEqual([200, '"1"', '']);
  });

  it('accepts documents of more than 1 MiB', async () => {
    const path = await server.context('large');
    const output = 'a'.repeat(600_000);
    for (const stepId of ['a', 'b', 'c'])
      await server.post(`${path}/step-outputs`, { stepId, output });
    const { body: document, headers } = await server.get(path);
    const body = { ...document, userPreferences: { large: true } };
    const put = await server.call('PUT', path, {
      body,
      headers: { 'if-match': String(headers['etag']) },
    });
    expect([put.status, put.body.version]).toEqual([201, 5]);
  });

  it('ends a wait whose client has disconnected', async () => {
    const path = await server.context('impatient');
    const client = new AbortController();
    const headers = { 'x-request-id': 'impatient-1' };
    const waiting = server.get(`${path}/step-outputs/s?wait=60`, {
      headers,
      signal: client.signal,
    });
    await server.get(path);
    client.abort();
    await expect(waiting).rejects.toThrow();
    const lines = await logged(server, 'impatient-1');
    expect(lines).toMatchObject([{ level: 'info', status: 499, msg: 'request' }]);
  });
});

describe('a server that is asked to stop', () => {
  it('answers waiting readers, completes received writes, and exits with 0', async () => {
    const server = await ThroughlineServer.start({ THROUGHLINE_DRAIN_TIMEOUT_MS: '100000' });
    const path = await server.context('draining');
    const head = `HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${rootKey}\r\n`;
    const waiting = await beginRequest(
      server.url,
      `GET ${path}/step-outputs/never?wait=60 ${head}\r\n`,
    );
    const writes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const length = `{"stepId":"s${n}","output":1}`.length;
        const type = `Content-Type: application/json\r\nContent-Length: ${length}\r\n`;
        return beginRequest(server.url, `POST ${path}/step-outputs ${head}${type}\r\n{"stepId":`);
      }),
    );
    const stopped = server.stop();
    // No write is complete yet: only the request to stop can cause an answer before the wait ends.
    const answer = await waitFor('an answer long before the wait of 60 s ends', () =>
      waiting.finish(),
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*\r\n\r\nnull$/);
    const answers = await Promise.all(writes.map(({ finish }, n) => finish(`"s${n}","output":1}`)));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 201 /);
    expect(await stopped).toBe(0);
  }, 120_000);
});

describe('a server with a rate limit', () => {
  it('refuses requests beyond the limit with 429 and Retry-After, but none of the root key', async () => {
    const server = await ThroughlineServer.start({ THROUGHLINE_RATE_LIMIT: '3' });
    try {
      const key = await server.key({ role: 'agent' });
      const answers = [];
      for (let index = 0; index < 4; index++) answers.push(await server.get('/v1/me', { key }));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(answers[3]?.headers['retry-after']).toMatch(/^\d+$/);
      for (let index = 0; index < 5; index++) expect((await server.get('/v1/me')).status).toBe(200);
      const head = `POST /v1/contexts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
      const body = Buffer.alloc(8 * 1_048_576);
      const answer = await sendBeforeReading(server.url, [
        `${head}Content-Length: ${body.length}\r\n\r\n`,
        body,
      ]);
      expect(answer).toMatch(/^HTTP\/1.1 429 /);
    } finally {
      await server.stop();
    }
  }, 120_000);
});
