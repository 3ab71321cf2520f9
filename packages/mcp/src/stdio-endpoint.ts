import {
  type JSONRPCMessage,
  type McpRequestContext,
  type McpServer,
  ResourceNotFoundError,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type Throughline } from '@throughline/sdk';

import { countBytes } from './budget.js';
import { listeningIn, resourceNotFound } from './listening.js';
import { readPrincipal } from './principal.js';
import { createThroughlineMcpServer, type ServerOptions } from './server.js';
import { type Site } from './site.js';
import { watch, watchable } from './watch.js';

/**
 * Serves one client over standard input and output until its input ends, with the key of `client`. Rejects if the key is
 * unknown or the server is not there.
 */
export async function serveMcpOnStdio(
  client: Throughline,
  options: Omit<ServerOptions, 'canSubscribe'> & Readonly<{ report?: (error: Error) => void }> = {},
): Promise<void> {
  const principal = await readPrincipal(client);
  const site: Site = { client, principal, countTokens: options.countTokens ?? countBytes };
  const subscriptions = new StdioSubscriptions(site);
  const make = async ({ era }: McpRequestContext) => {
    const serving = { ...options, canSubscribe: true };
    const server = await createThroughlineMcpServer(client, principal, serving);
    subscriptions.attach(server, era);
    return server;
  };
  await new Promise<void>((resolve) => {
    const transport = guarded(new StdioServerTransport(), subscriptions, resolve);
    serveStdio(make, { transport, ...(options.report && { onerror: options.report }) });
  });
  subscriptions.end();
}

/** What the client of one connection has subscribed to. */
class StdioSubscriptions {
  readonly #running = new Map<unknown, AbortController>();
  #server: McpServer | undefined;

  constructor(private readonly site: Site) {}

  /** The server through which updates go: the one that was made last serves the connection. */
  attach(server: McpServer, era: 'legacy' | 'modern'): void {
    this.#server = server;
    if (era === 'modern') return;
    server.server.setRequestHandler('resources/subscribe', async ({ params }) => {
      const begin = await this.prepare(params.uri, [params.uri]);
      if (!begin) throw new ResourceNotFoundError(params.uri);
      // The one that runs may have changes to tell that this one would take for old.
      if (!this.#isRunning(params.uri)) begin();
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      this.cancel(params.uri);
      return {};
    });
  }

  /** Undefined if one of the URIs is not the key's to read; otherwise a function that begins with the updates. */
  async prepare(id: unknown, uris: readonly string[]): Promise<(() => void) | undefined> {
    const stop = new AbortController();
    const parts = await watchable(this.site, uris, stop.signal);
    if (!parts) return undefined;
    return () => {
      this.cancel(id);
      this.#running.set(id, stop);
      for (const [uri, part] of parts) {
        const changed = () => void this.#server?.server.sendResourceUpdated({ uri });
        // A key that may no longer read; or it was cancelled, and another one has its id by now.
        watch(this.site, part, { changed, signal: stop.signal }).catch(() => stop.abort());
      }
    };
  }

  #isRunning(id: unknown): boolean {
    return this.#running.get(id)?.signal.aborted === false;
  }

  cancel(id: unknown): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
  }

  end(): void {
    for (const id of [...this.#running.keys()]) this.cancel(id);
  }
}

/** The transport, but that subscriptions are checked before the protocol gets them: it would take any URI. */
function guarded(
  inner: StdioServerTransport,
  subscriptions: StdioSubscriptions,
  ended: () => void,
): Transport {
  const outer: Transport = {
    start: async () => {
      inner.onmessage = (message) => void receive(message);
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onclose = () => {
        ended();
        outer.onclose?.();
      };
      await inner.start();
    },
    send: (message) => inner.send(message),
    close: () => inner.close(),
  };

  async function receive(message: JSONRPCMessage): Promise<void> {
    const listening = listeningIn(message);
    const begin = listening && (await subscriptions.prepare(listening.id, listening.uris));
    if (listening && !begin)
      return inner.send({ jsonrpc: '2.0', id: listening.id as string, error: resourceNotFound });
    if ('method' in message && message.method === 'notifications/cancelled')
      subscriptions.cancel(Object(message.params).requestId);
    outer.onmessage?.(message);
    begin?.();
  }

  return outer;
}
