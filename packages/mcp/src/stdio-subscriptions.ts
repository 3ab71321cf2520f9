import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  type McpServer,
  type RequestId,
  ResourceNotFoundError,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server';

import { type Listening, listeningIn, resourceNotFound } from './listening.js';
import { memberOf } from './member-of.js';
import { type ToolContext } from './tool-context.js';
import { watch, watchable } from './watch.js';

/** The answer to a request with an invalid id: MCP omits the id. */
const invalidRequest = { code: INVALID_REQUEST, message: 'Invalid Request' } as const;

/** Starts the updates of a subscription; `ended` is called if its key may no longer read. */
type Begin = (ended?: () => void) => void;

/** The subscriptions of the client of one connection. */
export class StdioSubscriptions {
  /** The running subscriptions and those in preparation. */
  readonly #running = new Map<unknown, AbortController>();
  /** Running subscriptions and those in preparation by URI, for the revision with subscriptions of single URIs. */
  readonly #subscribed = new Map<string, Promise<void>>();
  #server: McpServer | undefined;

  constructor(private readonly toolContext: ToolContext) {}

  /** Sets the server that sends updates: the last created server serves the connection. */
  attach(server: McpServer, era: 'legacy' | 'modern'): void {
    this.#server = server;
    if (era === 'modern') return;
    server.server.setRequestHandler('resources/subscribe', async ({ params }) => {
      await this.#subscribe(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      this.#subscribed.delete(params.uri);
      this.cancel(params.uri);
      return {};
    });
  }

  /** A repeated subscription continues the existing one: a new one would start at the current text and lose unsent changes. */
  #subscribe(uri: string): Promise<void> {
    const subscribed = this.#subscribed.get(uri);
    if (subscribed) return subscribed;
    const forget = () => {
      if (this.#subscribed.get(uri) === subscribing) this.#subscribed.delete(uri);
    };
    const subscribing = this.#begin(uri, forget);
    this.#subscribed.set(uri, subscribing);
    subscribing.catch(forget);
    return subscribing;
  }

  async #begin(uri: string, ended: () => void): Promise<void> {
    const begin = await this.prepare(uri, [uri]);
    if (begin === 'not-found') throw new ResourceNotFoundError(uri);
    if (begin !== 'cancelled') begin(ended);
  }

  /** Returns a function that starts the updates, or the reason for none: the key may not read a URI, or it was cancelled. */
  async prepare(id: unknown, uris: readonly string[]): Promise<Begin | 'not-found' | 'cancelled'> {
    const stop = new AbortController();
    // The earlier subscription with this id continues until this one is valid.
    const earlier = this.#running.get(id);
    this.#running.set(id, stop);
    const parts = await watchable(this.toolContext, uris, stop.signal);
    if (stop.signal.aborted) {
      earlier?.abort();
      return 'cancelled';
    }
    if (!parts) {
      if (this.#running.get(id) === stop) this.#restore(id, earlier);
      return 'not-found';
    }
    earlier?.abort();
    return (ended) => {
      const end = () => {
        // Otherwise it was cancelled, or another part has ended it.
        if (!stop.signal.aborted) ended?.();
        stop.abort();
      };
      for (const [uri, part] of parts) {
        const changed = () => this.#sendUpdate(uri);
        watch(this.toolContext, part, { changed, signal: stop.signal }).catch(end);
      }
    };
  }

  #sendUpdate(uri: string): void {
    const sent = this.#server?.server.sendResourceUpdated({ uri });
    // A connection that has just closed needs no update, and ends all subscriptions.
    sent?.catch(() => undefined);
  }

  #restore(id: unknown, earlier: AbortController | undefined): void {
    if (earlier) this.#running.set(id, earlier);
    else this.#running.delete(id);
  }

  /** Does nothing if no subscription has this id. */
  cancel(id: unknown): void {
    this.#running.get(id)?.abort();
    this.#running.delete(id);
  }

  end(): void {
    for (const id of Array.from(this.#running.keys())) this.cancel(id);
  }
}

/** Returns a transport that checks subscriptions before it passes them to the protocol, which would accept any URI. */
export function checkSubscriptions(
  inner: Transport,
  subscriptions: StdioSubscriptions,
  ended: () => void,
): Transport {
  const outer: Transport = {
    start: async () => {
      inner.onmessage = (message) => void receive(message).catch(report);
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
  /** For example if the connection has just closed. */
  const report = (error: Error) => outer.onerror?.(error);

  async function receive(message: JSONRPCMessage): Promise<void> {
    const listening = listeningIn(message);
    // Without an id it is a notification, which is never answered and so cannot subscribe.
    if (listening && listening.id !== undefined) return subscribe(message, listening);
    subscriptions.cancel(cancelledIn(message));
    outer.onmessage?.(message);
  }

  async function subscribe(message: JSONRPCMessage, { id, uris }: Listening): Promise<void> {
    if (!isRequestId(id)) return inner.send({ jsonrpc: '2.0', error: invalidRequest });
    const begin = await subscriptions.prepare(id, uris);
    // A cancelled request needs no answer.
    if (begin === 'cancelled') return;
    if (begin === 'not-found') return inner.send({ jsonrpc: '2.0', id, error: resourceNotFound });
    outer.onmessage?.(message);
    begin(() => sendFinalResult(id));
  }

  /** Sends the final answer to the client, and a cancellation by the client to the protocol. */
  function sendFinalResult(id: RequestId): void {
    inner.send(finalResultOf(id)).catch(report);
    outer.onmessage?.(cancellationOf(id));
  }

  return outer;
}

function finalResultOf(id: RequestId): JSONRPCMessage {
  const result = { resultType: 'complete', _meta: { [SUBSCRIPTION_ID_META_KEY]: id } };
  return { jsonrpc: '2.0', id, result };
}

function cancellationOf(id: RequestId): JSONRPCMessage {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } };
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isInteger(id);
}

/** Returns the id of the request that a notification cancels. */
function cancelledIn(message: JSONRPCMessage): unknown {
  const isCancelling = 'method' in message && message.method === 'notifications/cancelled';
  return isCancelling ? memberOf(message.params, 'requestId') : undefined;
}
