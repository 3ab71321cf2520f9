import { inspect } from 'node:util';

import { isThroughlineError } from './errors.js';
import { HttpClient } from './http-client.js';
import {
  cut,
  json,
  problem,
  type Reaction,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.fixture.js';

let server: ScriptedServer;

afterEach(() => server.close());

async function client(...reactions: Reaction[]): Promise<HttpClient> {
  server = await startScriptedServer(...reactions);
  return new HttpClient({ url: `${server.url}/below/`, key: 'secret' });
}

const rejection = (request: Promise<unknown>) =>
  request.then(
    () => undefined,
    (error: unknown) => error,
  );
const keys = () => server.requests.map(({ headers }) => headers['idempotency-key']);
const now = { 'retry-after': '0' };

describe('a request', () => {
  it.each(['two\nlines', 'a space', 'schlüssel', ''])(
    'is not sent with the invalid key %j',
    async (key) => {
      server = await startScriptedServer();
      const begin = () => new HttpClient({ url: server.url, key });
      expect(begin).toThrow('key: only visible ASCII characters without spaces can be sent');
    },
  );

  it('has the key, the defined members of the query, and the body as JSON', async () => {
    const http = await client(json(201, { version: 2 }, { etag: '"2"' }));
    const answer = await http.request('POST', '/v1/contexts', {
      query: { a: 'b c', none: undefined, many: [1, true] },
      body: { title: 'ü' },
      expectedVersion: 1,
      basedOn: 'receipt',
      trust: 'tool',
    });
    expect(answer).toMatchObject({ status: 201, body: { version: 2 }, etag: '"2"' });
    const [{ url, headers, body } = { headers: {} }] = server.requests;
    expect([url, body]).toEqual(['/below/v1/contexts?a=b+c&many=1&many=true', '{"title":"ü"}']);
    expect(headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'if-match': '"1"',
      'based-on': 'receipt',
      trust: 'tool',
      'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('is sent again with the same key and body until the server answers', async () => {
    const http = await client(cut, problem(429, 'rate-limited', {}, now), json(201, {}));
    await http.request('POST', '/v1/contexts', { body: { title: 'A' } });
    expect(server.requests).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    expect(new Set(server.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('has a new idempotency key each time, unless one is passed', async () => {
    const http = await client(json(201, {}));
    await http.request('POST', '/v1/contexts');
    await http.request('POST', '/v1/contexts');
    await http.request('POST', '/v1/contexts', { idempotencyKey: 'mine' });
    await http.request('GET', '/v1/contexts');
    const [first, second, given, ofRead] = keys();
    expect(first).not.toBe(second);
    expect([given, ofRead]).toEqual(['mine', undefined]);
  });

  it('is sent three times at most, and its error has the idempotency key', async () => {
    const http = await client(cut);
    const error = await rejection(http.request('POST', '/v1/contexts'));
    if (!isThroughlineError(error, 'no-answer')) throw error;
    expect(server.requests).toHaveLength(3);
    expect(error.idempotencyKey).toBe(keys()[0]);
    expect(error.message).toContain(`no answer from ${server.url}: `);
  });

  it('rejects with its idempotency key if the outcome remains unknown', async () => {
    const http = await client(problem(503, 'outcome-unknown', {}, now));
    const error = await rejection(http.request('POST', '/v1/contexts'));
    if (!isThroughlineError(error, 'outcome-unknown')) throw error;
    expect([error.name, error.idempotencyKey]).toEqual(['OutcomeUnknownError', keys()[2]]);
    expect(new Set(keys()).size).toBe(1);
  });

  it('is sent once if it is refused, and rejects with the members of the problem', async () => {
    const missed = [{ type: 'StepStarted', version: 2 }];
    const facts = { expectedVersion: 1, currentVersion: 2, missed, missedTruncated: true };
    const http = await client(problem(412, 'version-conflict', facts));
    const error = await rejection(http.request('POST', '/v1/contexts'));
    if (!isThroughlineError(error, 'version-conflict')) throw error;
    expect(error).toMatchObject({ name: 'VersionConflictError', status: 412, ...facts });
    expect(server.requests).toHaveLength(1);
  });

  it('rejects with the pointers of faults in the input', async () => {
    const errors = [{ pointer: '/title', detail: 'is too long' }];
    const http = await client(problem(422, 'validation-failed', { detail: 'not valid', errors }));
    const error = await rejection(http.request('POST', '/v1/contexts'));
    if (!isThroughlineError(error, 'validation-failed')) throw error;
    expect(error.message).toBe('not valid (422 validation-failed); /title: is too long');
    expect(error.faults).toEqual(errors);
  });

  it('rejects with the reason of its signal, also during a pause', async () => {
    const stop = new AbortController();
    const http = await client((response) => {
      problem(503, 'unavailable', {}, { 'retry-after': '50' })(response, {} as never);
      response.once('finish', () => stop.abort(new Error('stopped')));
    });
    const request = http.request('GET', '/v1/me', { signal: stop.signal });
    await expect(request).rejects.toThrow('stopped');
    expect(server.requests).toHaveLength(1);
  });

  it('rejects with the reason of its signal if that aborts before it is sent', async () => {
    const http = await client(json(201, {}));
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(http.request('POST', '/v1/contexts', { signal })).rejects.toThrow('stopped');
    expect(server.requests).toHaveLength(0);
  });

  it('is in the error of an unknown outcome, but is not printed with it', async () => {
    const http = await client(cut);
    const body = { title: 'confidential' };
    const error = await rejection(http.request('POST', '/v1/contexts', { body }));
    if (!isThroughlineError(error, 'no-answer')) throw error;
    const options = { body: JSON.stringify(body) };
    expect(error.write).toMatchObject({ method: 'POST', path: '/v1/contexts', options });
    expect(inspect(error)).not.toContain('confidential');
    const read = await rejection(http.request('GET', '/v1/me'));
    if (!isThroughlineError(read, 'no-answer')) throw read;
    expect(read.write).toBeUndefined();
  });

  it('has a timeout', async () => {
    const http = await client(() => undefined, json(200, {}));
    await http.request('GET', '/v1/me', { timeoutMs: 200 });
    expect(server.requests).toHaveLength(2);
  });

  it.each([2 ** 31, Number.POSITIVE_INFINITY])('accepts a timeout of %d ms', async (timeoutMs) => {
    const http = await client((response, request) =>
      setTimeout(() => json(200, {})(response, request), 20),
    );
    await http.request('GET', '/v1/me', { timeoutMs });
    expect(server.requests).toHaveLength(1);
  });

  it('is repeated unchanged, even if the object of its body has changed since', async () => {
    const http = await client(cut);
    const body = { title: 'A' };
    const error = await rejection(http.request('POST', '/v1/contexts', { body, maxRetries: 0 }));
    if (!isThroughlineError(error, 'no-answer') || !error.write) throw error;
    body.title = 'B';
    const { method, path, options } = error.write;
    await rejection(http.request(method, path, { ...options, maxRetries: 0 }));
    const [first, second] = server.requests;
    expect(second).toMatchObject({ url: first?.url, body: '{"title":"A"}' });
    expect(second?.headers['content-type']).toBe('application/json');
  });

  it('rejects an answer that is not JSON, and a refusal that is not a problem', async () => {
    const html: Reaction = (response) => response.end('<html>');
    const http = await client(html, (response) => response.writeHead(404).end('<html>'));
    for (const status of [200, 404]) {
      const error = await rejection(http.request('GET', '/v1/me'));
      expect(isThroughlineError(error, 'unexpected-answer')).toBe(true);
      expect(error).toMatchObject({ status, text: '<html>' });
    }
  });

  it.each(['', 'localhost:3000', 'ftp://host'])('cannot be sent to %j', async (url) => {
    await client(json(200, {}));
    expect(() => new HttpClient({ url })).toThrow(TypeError);
  });
});
