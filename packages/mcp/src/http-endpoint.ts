import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';

import { boundedBody } from './bounded-body.js';
import { countBytes } from './budget.js';
import { type Listening, listeningIn, resourceNotFound } from './listening.js';
import { createThroughlineMcpServer, type ServerOptions } from './server.js';
import { type ToolContext } from './tool-context.js';
import { SubscriptionPlaces } from './subscription-places.js';
import { watch, watchable } from './watch.js';

/** The caller, whose key was checked before. Callers with the same `holder` share a limit of subscriptions. */
export type Caller = Pick<ToolContext, 'client' | 'principal'> & Readonly<{ holder: string }>;

type Options = Omit<ServerOptions, 'canSubscribe'> &
  Readonly<{
    /** Called for requests that the protocol refuses. */
    report?: (error: Error) => void;
    /** Maximum number of subscribed resources of all callers; 5,000 by default. */
    maxSubscriptions?: number;
    /** Maximum number of subscribed resources of one holder; 500 by default. */
    maxSubscriptionsOfHolder?: number;
    /** Maximum number of unread messages of a subscription before its reader is disconnected; 64 by default. */
    maxUnread?: number;
  }>;

/** Each resource has one long poll to the API: half of the limits in total (10,000) and for one key (1,000). */
const defaultSubscriptions = 5_000;
const defaultSubscriptionsOfHolder = 500;
const defaultUnread = 64;

/** The MCP server over streamable HTTP, for both eras of the protocol. The caller of `fetch` checks Origin and Host. */
export class McpEndpoint {
  /** The open subscriptions. Holds each request, because its signal only works while the request is referenced. */
  readonly #open = new Map<() => Promise<void>, Request>();
  readonly #places: SubscriptionPlaces;

  constructor(private readonly options: Options = {}) {
    this.#places = new SubscriptionPlaces({
      maxTotal: options.maxSubscriptions ?? defaultSubscriptions,
      maxOfHolder: options.maxSubscriptionsOfHolder ?? defaultSubscriptionsOfHolder,
    });
  }

  /**
   * Serves one request with a parsed body. The signal of the request must abort if its client disconnects before the complete
   * answer: a subscription ends with the signal, or with the body of its answer.
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
    const { countTokens = countBytes, maxUnread = defaultUnread } = this.options;
    const toolContext: ToolContext = { client, principal, countTokens };
    // Before the first await, so that concurrent requests cannot exceed the limit.
    const release = this.#places.take(holder, listening.uris.length);
    if (typeof release === 'string') return refused(listening, { code: -32_603, message: release });
    const ended = new AbortController();
    const signal = AbortSignal.any([request.signal, ended.signal]);
    // A separate bus, so that updates of one caller cannot reach another one.
    const bus = new InMemoryServerEventBus();
    const handler = this.#handler(caller, bus);
    ended.signal.addEventListener('abort', release, { once: true });
    const close = this.#register(request, handler, ended);
    const parts = await watchable(toolContext, listening.uris, signal).catch(
      async (error: unknown) => {
        await close();
        throw error;
      },
    );
    // The client may also have disconnected before its signal was observed.
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
      // If the key may no longer read, the stream ends.
      watch(toolContext, part, { changed, signal }).catch(() => close());
    }
    const body = boundedBody(stream, maxUnread, () => void close());
    return new Response(body, response);
  }

  #register(
    request: Request,
    handler: McpHttpHandler,
    ended: AbortController,
  ): () => Promise<void> {
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
          // The stateless service of the earlier era has no stream for updates.
          canSubscribe: era === 'modern',
        }),
      { legacy: 'stateless', ...(bus && { bus }), ...(report && { onerror: report }) },
    );
  }
}

/** Returns null if the answer is complete, such as a refusal. */
function streamOf({ headers, body }: Response): Response['body'] {
  return headers.get('content-type')?.startsWith('text/event-stream') === true ? body : null;
}

function refused({ id }: Listening, error: Readonly<{ code: number; message: string }>): Response {
  return Response.json({ jsonrpc: '2.0', id, error });
}
