import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';

import { boundedBody } from './bounded-body.js';
import { countBytes } from './budget.js';
import { type Listening, listeningIn, resourceNotFound } from './listening.js';
import { createThroughlineMcpServer, type ServerOptions } from './server.js';
import { type Site } from './tool-context.js';
import { SubscriptionPlaces } from './subscription-places.js';
import { watch, watchable } from './watch.js';

/** Who calls: the key was checked before. `holder` names whoever shares a limit of subscriptions. */
export type Caller = Pick<Site, 'client' | 'principal'> & Readonly<{ holder: string }>;

type Options = Omit<ServerOptions, 'canSubscribe'> &
  Readonly<{
    /** Is told of requests that the protocol refuses. */
    report?: (error: Error) => void;
    /** Resources at the same time, of all callers; 5,000 by default. */
    maxSubscriptions?: number;
    /** Resources at the same time, of one caller; 500 by default. */
    maxSubscriptionsOfHolder?: number;
    /** Messages that the reader of a subscription may leave unread before it is disconnected; 64 by default. */
    maxUnread?: number;
  }>;

/** Each keeps a request to the API waiting: half of those that may wait, in all (10,000) and of one key (1,000). */
const usualSubscriptions = 5_000;
const usualSubscriptionsOfHolder = 500;
const usualUnread = 64;

/** The MCP server over streamable HTTP, for both eras of the protocol. Origin and Host are checked by whoever calls it. */
export class McpEndpoint {
  /** With the request of each, whose signal lasts only as long as the request is referenced. */
  readonly #open = new Map<() => Promise<void>, Request>();
  readonly #places: SubscriptionPlaces;

  constructor(private readonly options: Options = {}) {
    this.#places = new SubscriptionPlaces({
      most: options.maxSubscriptions ?? usualSubscriptions,
      maxOfHolder: options.maxSubscriptionsOfHolder ?? usualSubscriptionsOfHolder,
    });
  }

  /**
   * Serves one request, whose body was read and parsed before. The signal of the request must abort when its client goes before it is
   * answered in full: a subscription ends with it, or with the body of its answer.
   */
  async fetch(request: Request, body: unknown, caller: Caller): Promise<Response> {
    const listening = listeningIn(body);
    if (listening) return this.#subscribe(request, { ...listening, body }, caller);
    return this.#handler(caller).fetch(request, { parsedBody: body });
  }

  /** Ends all subscriptions. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((close) => close()));
  }

  async #subscribe(
    request: Request,
    listening: Listening & Readonly<{ body: unknown }>,
    caller: Caller,
  ): Promise<Response> {
    const { client, principal, holder } = caller;
    const { countTokens = countBytes, maxUnread = usualUnread } = this.options;
    const site: Site = { client, principal, countTokens };
    // Before anything is awaited, so that requests at once cannot take more places than there are.
    const release = this.#places.take(holder, listening.uris.length);
    if (typeof release === 'string') return refused(listening, { code: -32_603, message: release });
    const ended = new AbortController();
    const signal = AbortSignal.any([request.signal, ended.signal]);
    // A bus of its own: updates of one caller can reach no other.
    const bus = new InMemoryServerEventBus();
    const handler = this.#handler(caller, bus);
    ended.signal.addEventListener('abort', release, { once: true });
    const close = this.#hold(request, handler, ended);
    const parts = await watchable(site, listening.uris, signal).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    // The client may also have gone before anybody listened to its signal.
    if (!parts || signal.aborted) {
      await close();
      return refused(listening, resourceNotFound);
    }
    const response = await handler.fetch(request, { parsedBody: listening.body });
    const stream = streamOf(response);
    if (!stream) {
      await close();
      return response;
    }
    for (const [uri, part] of parts) {
      const changed = () => bus.publish({ kind: 'resource_updated', uri });
      // Whoever may no longer read is told by the end of the stream.
      watch(site, part, { changed, signal }).catch(() => close());
    }
    const body = boundedBody(stream, maxUnread, () => void close());
    return new Response(body, response);
  }

  #hold(request: Request, handler: McpHttpHandler, ended: AbortController): () => Promise<void> {
    const close = async () => {
      this.#open.delete(close);
      ended.abort();
      await handler.close();
    };
    this.#open.set(close, request);
    request.signal.addEventListener('abort', () => void close(), { once: true });
    return close;
  }

  #handler({ client, principal }: Caller, bus?: InMemoryServerEventBus): McpHttpHandler {
    const { report } = this.options;
    return createMcpHandler(
      ({ era }) =>
        createThroughlineMcpServer(client, principal, {
          ...this.options,
          // The stateless service of the earlier era has no stream to deliver updates on.
          canSubscribe: era === 'modern',
        }),
      { legacy: 'stateless', ...(bus && { bus }), ...(report && { onerror: report }) },
    );
  }
}

/** Null if the answer is complete, such as a refusal. */
function streamOf({ headers, body }: Response): Response['body'] {
  return headers.get('content-type')?.startsWith('text/event-stream') === true ? body : null;
}

function refused({ id }: Listening, error: Readonly<{ code: number; message: string }>): Response {
  return Response.json({ jsonrpc: '2.0', id, error });
}
