import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type ReceivedRequest = Readonly<{
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}>;

export type Reaction = (response: ServerResponse, request: ReceivedRequest) => void;

export type ScriptedServer = Readonly<{
  url: string;
  requests: readonly ReceivedRequest[];
  close: () => Promise<void>;
}>;

/** Starts a server that answers requests with these reactions in order; the last one answers all later requests. */
export async function startScriptedServer(...reactions: Reaction[]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const { method, url, headers } = incoming;
      const request = { method, url, headers, body };
      const react = reactions[Math.min(requests.length, reactions.length - 1)];
      requests.push(request);
      react?.(response, request);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reaction =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

export const problem = (
  status: number,
  code: string,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
): Reaction => json(status, { type: `/problems/${code}`, title: code, status, ...more }, headers);

/** Reads the request and breaks the connection. */
export const cut: Reaction = (response) => response.destroy();
