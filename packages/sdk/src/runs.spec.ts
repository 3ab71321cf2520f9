import { json, type ScriptedServer, startScriptedServer } from './scripted-server.fixture.js';
import { Throughline } from './throughline.js';

let server: ScriptedServer;

afterEach(() => server.close());

describe('waiting for a run', () => {
  it.each([
    [5_000, '3'],
    [1_000, '0'],
  ])('uses long polls within the request timeout of %d ms', async (timeoutMs, wait) => {
    server = await startScriptedServer(
      json(200, { _version: 3 }),
      json(200, { runId: 'r', status: 'running' }),
      json(200, { items: [], nextCursor: null }),
      json(200, { _version: 3 }),
      json(200, { runId: 'r', status: 'completed' }),
    );
    const tl = new Throughline({ url: server.url, timeoutMs });
    expect(await tl.runs.wait('login')).toMatchObject({ status: 'completed' });
    const query = new URL(server.requests[2]?.url ?? '', server.url).searchParams;
    expect(query.get('wait')).toBe(wait);
  });
});
