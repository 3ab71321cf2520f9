import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type ProjectorRuntime } from '#platform';

export type StatusServer = Readonly<{ address: string; close: () => Promise<void> }>;

type Page = Readonly<{ status: number; type: string; text: string }>;

/** Serves health and metrics of this process at the same paths as the api. Throws if the port is in use. */
export async function openStatusServer(
  runtime: ProjectorRuntime,
  { host, port }: Readonly<{ host: string; port: number }>,
): Promise<StatusServer> {
  const server = createServer((request, response) => void answer(runtime, request, response));
  server.listen(port, host);
  await once(server, 'listening');
  // A server that listens on TCP has an address of this shape.
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  runtime: ProjectorRuntime,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, type, text } = await pageOf(runtime, request).catch((error: unknown) => {
    runtime.log.error({ err: error }, 'a status page could not be rendered');
    return json(500, { status: 'unknown' });
  });
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(request.method === 'HEAD' ? undefined : text);
}

async function pageOf(runtime: ProjectorRuntime, { method, url }: IncomingMessage): Promise<Page> {
  if (method !== 'GET' && method !== 'HEAD') return json(405, { status: 'only GET' });
  const [path] = (url ?? '').split('?');
  if (path === '/health/live') return json(200, { status: 'live' });
  if (path === '/health/ready') return readyPage(runtime);
  if (path !== '/metrics') return json(404, { status: 'not found' });
  const { registry } = runtime.metrics;
  return { status: 200, type: registry.contentType, text: await registry.metrics() };
}

async function readyPage({ readiness }: ProjectorRuntime): Promise<Page> {
  const { ready, checks } = await readiness();
  return ready ? json(200, { status: 'ready', checks }) : json(503, { status: 'unready', checks });
}

function json(status: number, body: object): Page {
  return { status, type: 'application/json; charset=utf-8', text: JSON.stringify(body) };
}
