// The packed MCP server with the fixtures of the official suite, at a separate address.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Readable } from 'node:stream';

import { addFixtures } from './fixtures.mjs';

/** Gets the modules of the packages, and the address and key of a running server. */
export async function openFixtureServer({ mcp, sdk }, { url, key }) {
  const client = new sdk.Throughline({ url, key });
  const caller = { client, principal: await mcp.readPrincipal(client), holder: 'suite' };
  const endpoint = new mcp.McpEndpoint({ extend: addFixtures });
  const server = createServer((request, response) => {
    serve(endpoint, caller, request, response).catch((error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    await endpoint.close();
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

async function serve(endpoint, caller, request, response) {
  const body = request.method === 'POST' ? await json(request) : undefined;
  const over = new AbortController();
  response.once('close', () => over.abort());
  const { method, headers } = request;
  const asked = new Request('http://127.0.0.1/mcp', { method, headers, signal: over.signal });
  const answer = await endpoint.fetch(asked, body, caller);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) Readable.fromWeb(answer.body).pipe(response);
  else response.end();
}
