import { cut, json, type ScriptedServer, startScriptedServer } from './scripted-server.fixture.js';
import { Throughline } from './throughline.js';

let server: ScriptedServer;

afterEach(() => server.close());

describe('a call', () => {
  it('is sent to the path of its operation, with query and body', async () => {
    server = await startScriptedServer(json(200, { items: [], nextCursor: null }));
    const tl = new Throughline({ url: server.url });
    const body = { viewMaxTokens: 900 };
    await tl.call('PATCH /v1/settings', { body }, { idempotencyKey: 'k' });
    await tl.call('POST /v1/jobs/{jobId}/cancel', { path: { jobId: 'a/b' } });
    const { items } = await tl.call('GET /v1/jobs', { query: { limit: 2 } });
    await tl.call('GET /v1/settings');
    expect(items).toEqual([]);
    const sent = server.requests.map(({ method, url, body: text }) => [method, url, text]);
    expect(sent).toEqual([
      ['PATCH', '/v1/settings', '{"viewMaxTokens":900}'],
      ['POST', '/v1/jobs/a%2Fb/cancel', ''],
      ['GET', '/v1/jobs?limit=2', ''],
      ['GET', '/v1/settings', ''],
    ]);
    expect(server.requests[0]?.headers['idempotency-key']).toBe('k');
  });

  it('does not compile with input that its operation does not accept', () => {
    const tl = new Throughline({ url: 'http://127.0.0.1:1' });
    const wrong = [
      // @ts-expect-error: no such operation
      () => tl.call('GET /v1/nothing'),
      // @ts-expect-error: the path has an audience
      () => tl.call('GET /v1/policies/{audience}'),
      // @ts-expect-error: it has no body
      () => tl.call('GET /v1/settings', { body: {} }),
      // @ts-expect-error: there is no such setting
      () => tl.call('PATCH /v1/settings', { body: { viewMostTokens: 1 } }),
      // @ts-expect-error: its body is text
      () => tl.call('POST /v1/imports', { body: '' }),
      // @ts-expect-error: its answer is text
      () => tl.call('GET /v1/contexts/{contextId}/export', { path: { contextId: 'login' } }),
      // @ts-expect-error: its answer is a stream
      () => tl.call('GET /v1/contexts/{contextId}/stream', { path: { contextId: 'login' } }),
      // @ts-expect-error: its answer is a stream
      () => tl.call('GET /v1/stream'),
    ];
    expect(wrong).toHaveLength(8);
  });

  it.each([{}, { audiance: 'qa' }, { audience: '' }])(
    'is not sent if a segment of its path is missing: %j',
    async (path) => {
      server = await startScriptedServer(json(200, {}));
      const tl = new Throughline({ url: server.url });
      const call = tl.call('GET /v1/policies/{audience}', { path: path as { audience: string } });
      await expect(call).rejects.toThrow('GET /v1/policies/{audience} needs path.audience');
      expect(server.requests).toHaveLength(0);
    },
  );

  it('is sent once if it creates a key', async () => {
    server = await startScriptedServer(cut);
    const tl = new Throughline({ url: server.url });
    const call = tl.call('POST /v1/keys', { body: { role: 'auditor' } });
    await expect(call).rejects.toMatchObject({ code: 'no-answer' });
    expect(server.requests).toHaveLength(1);
  });
});
