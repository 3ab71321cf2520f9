import {
  type JSONRPCMessage,
  type McpServer,
  ResourceNotFoundError,
  type Transport,
} from '@modelcontextprotocol/server';

import { listeningIn, resourceNotFound } from './listening.js';
import { type Site } from './site.js';
import { watch, watchable } from './watch.js';

/** What the client of one connection has subscribed to. */
export class StdioSubscriptions {
  /** Also those that are being prepared. */
  readonly #running = new Map<unknown, AbortController>();
  #server: McpServer | undefined;

  constructor(private readonly site: Site) {}

  /** The server through which updates go: the one that was made last serves the connection. */
  attach(server: McpServer, era: 'legacy' | 'modern'): void {
    this.#server = server;
    if (era === 'modern') return;
    server.server.setRequestHandler('resources/subscribe', async ({ params }) => {
      const found = await this.prepare(params.uri, [params.uri]);
      if (found === 'not-found') throw new ResourceNotFoundError(params.uri);
      if (found !== 'cancelled') found();
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      this.cancel(params.uri);
      return {};
    });
  }

  /** A function that begins with the updates, or why there will be none: a URI is not the key's to read, or it was cancelled. */
  async prepare(
    id: unknown,
    uris: readonly string[],
  ): Promise<(() => void) | 'not-found' | 'cancelled'> {
    const stop = new AbortController();
    // The earlier one of this id goes on until this one is known to be good.
    const earlier = this.#running.get(id);
    this.#running.set(id, stop);
    const parts = await watchable(this.site, uris, stop.signal);
    if (stop.signal.aborted) {
      earlier?.abort();
      return 'cancelled';
    }
    if (!parts) {
      if (this.#running.get(id) === stop) this.#restore(id, earlier);
      return 'not-found';
    }
    earlier?.abort();
    return () => {
      for (const [uri, part] of parts) {
        const changed = () => void this.#server?.server.sendResourceUpdated({ uri });
        // A key that may no longer read; or it was cancelled, and another one has its id by now.
        watch(this.site, part, { changed, signal: stop.signal }).catch(() => stop.abort());
      }
    };
  }

  #restore(id: unknown, earlier: AbortController | undefined): void {
    if (earlier) this.#running.set(id, earlier);
    else this.#running.delete(id);
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
export function guarded(
  inner: Transport,
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
    const found = listening && (await subscriptions.prepare(listening.id, listening.uris));
    // Nobody waits for an answer to what was cancelled.
    if (found === 'cancelled') return;
    if (listening && found === 'not-found')
      return inner.send({ jsonrpc: '2.0', id: listening.id as string, error: resourceNotFound });
    const cancelled = cancelledIn(message);
    if (cancelled !== undefined) subscriptions.cancel(cancelled);
    outer.onmessage?.(message);
    if (typeof found === 'function') found();
  }

  return outer;
}

/** The id of the request that a notification cancels. */
function cancelledIn(message: JSONRPCMessage): unknown {
  const isCancelling = 'method' in message && message.method === 'notifications/cancelled';
  return isCancelling ? Object(message.params).requestId : undefined;
}
