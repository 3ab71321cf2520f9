import { McpEndpoint } from './http-endpoint.js';
import { toolContextAnswering } from './tool-context.fixture.js';

const uri = (contextId: string) => `throughline://${contextId}/view/all`;
const never = new Promise<Response>(() => undefined);
const view = { text: 'a view', version: 1, receipt: 'r1.a', items: [] };
const toolContext = toolContextAnswering(({ pathname }) =>
  pathname.endsWith('/view') ? Response.json(view) : never,
);
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'subscriptions/listen',
};

function listen(endpoint: McpEndpoint, uris: readonly string[], signal?: AbortSignal) {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { resourceSubscriptions: uris },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
  const options = { method: 'POST', headers, ...(signal && { signal }) };
  const request = new Request('http://127.0.0.1/mcp', options);
  return endpoint.fetch(request, body, { ...toolContext, holder: 'a' });
}

const isOpen = ({ headers: received }: Response) =>
  received.get('content-type') === 'text/event-stream';

describe('a subscription over HTTP', () => {
  it('takes a place for each resource, and releases them when its body is cancelled', async () => {
    const endpoint = new McpEndpoint({ maxSubscriptionsOfHolder: 3 });
    const first = await listen(endpoint, [uri('a'), uri('b')]);
    expect(isOpen(first)).toBe(true);
    const refused = await listen(endpoint, [uri('a'), uri('b')]);
    expect(await refused.json()).toMatchObject({
      error: { message: 'This key has 2 of at most 3 subscriptions open: end one first' },
    });
    await first.body?.cancel();
    expect(isOpen(await listen(endpoint, [uri('a'), uri('b')]))).toBe(true);
    await endpoint.close();
  });

  it('releases the place of a client that has disconnected before the start', async () => {
    const endpoint = new McpEndpoint({ maxSubscriptionsOfHolder: 1 });
    for (const uris of [[uri('a')], []])
      expect(isOpen(await listen(endpoint, uris, AbortSignal.abort()))).toBe(false);
    expect(isOpen(await listen(endpoint, [uri('a')]))).toBe(true);
    await endpoint.close();
  });
});
