import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { EventStoreDBClient } from '@eventstore/db-client';
import { ServerFeatures } from '@eventstore/db-client/dist/Client/ServerFeatures.js';

import { settled } from '#event-store-adapter';

import { SilentNodeError } from './call-failure.js';
import { toClientString } from './connection-string.js';

const probeLimitMs = 1_000;
/** The time for streams to end by cancellation, so that their readers see the end. */
const cancelMs = 100;

type Channel = Awaited<ReturnType<EventStoreDBClient['getChannel']>>;

/** The state of a closed channel of @grpc/grpc-js. */
const shutDown: ReturnType<Channel['getConnectivityState']> = 4;

export type Client = EventStoreDBClient &
  Readonly<{
    /** Ends its streams and its connection, and prevents new ones; `dispose` leaves the connection open. */
    close: () => Promise<void>;
    /** The `host:port` of its current, last or next connection. */
    endpoint: () => string | undefined;
  }>;

/**
 * The client as its URL describes it, with workarounds for four problems (version 6.2.1):
 *
 * - Batched appends share one stream and one table of promises among all clients of a process: a stream that ends
 * leaves them pending forever, and an answer after a failure of another client throws an uncaught exception. Without
 * that feature, the client makes a separate call for each append, with a working deadline.
 * - It queries the features of the server once and caches a failure forever; no other code here needs them.
 * - It looks for a new leader in the background, where a failure ends the process as an unhandled rejection.
 * - An append that waits for a connection while that is closed ends the process in the same way.
 *
 * `failed` is the endpoint, `host:port`, that the client before this one received no data from: calls to it begin after
 * it has answered a probe.
 *
 * Throws RangeError if the connection string is invalid, without quoting it, since it holds a password.
 */
export function openClient(connectionString: string, failed?: string): Client {
  const client = parse(connectionString, failed);
  if (!client['throwOnAppendFailure'])
    throw new RangeError('throwOnAppendFailure=false hides conflicts: leave it out');
  const handleError = client['handleError'];
  return Object.assign(client, {
    supports: () => Promise.resolve(false),
    execute: guarded(client['execute']),
    // The call that needs a leader reports a failure to find one.
    handleError: (...failure: Parameters<typeof handleError>) => settled(handleError(...failure)),
    ...closable(client, failed),
  });
}

function guarded(execute: EventStoreDBClient['execute']): EventStoreDBClient['execute'] {
  return (service, name, action) =>
    execute(service, name, (grpc) =>
      grpc.getChannel().getConnectivityState(false) === shutDown
        ? Promise.reject(new Error('the connection was closed before the call began'))
        : action(grpc),
    );
}

function closable(client: EventStoreDBClient, failed: string | undefined) {
  let silent = failed;
  const getChannel = client['getChannel'];
  let channel: ReturnType<typeof getChannel> | undefined;
  let endpoint: string | undefined;
  let isClosed = false;
  return {
    endpoint: () => endpoint,
    getChannel: async () => {
      if (isClosed) throw new Error('the connection was closed');
      channel = getChannel();
      const found = await channel;
      endpoint = found.getTarget().replace(/^dns:/, '').toLowerCase();
      if (endpoint === silent) await refuseSilent(found);
      silent = undefined;
      return found;
    },
    close: async () => {
      isClosed = true;
      // The client may still be looking for a server. Without a server there is nothing to close, so that this is not
      // awaited.
      void settled(channel?.then((found) => found.close()));
      const disposed = client.dispose();
      await Promise.race([disposed, delay(cancelMs)]);
      // Cancelling does not end a stream that the server has ended while data in it was not consumed.
      destroyStreams(client['disposableStreams']);
      await disposed;
    },
  };
}

function destroyStreams(streams: unknown): void {
  if (!(streams instanceof Set))
    throw new TypeError('the client does not store its streams in a set');
  for (const stream of streams)
    if (stream instanceof Readable || stream instanceof Writable) stream.destroy();
}

/**
 * Until the other nodes have elected a new leader, they report the one that stopped answering: it gets a second to
 * answer.
 */
async function refuseSilent(channel: Channel): Promise<void> {
  const [FeaturesClient, , ask] = ServerFeatures.createServerFeatures;
  // As the client constructs it: an existing channel needs no address and no credentials.
  const options = { channelOverride: channel };
  const features: unknown = Reflect.construct(FeaturesClient, [null, null, options]);
  if (!(features instanceof FeaturesClient))
    throw new TypeError('the client has an unexpected class');
  const silent = Promise.withResolvers<never>();
  const timer = setTimeout(() => silent.reject(new SilentNodeError()), probeLimitMs);
  try {
    // A failure is an answer, too: the next call receives the same one.
    await Promise.race([settled(ask(features)), silent.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function parse(connectionString: string, failed: string | undefined): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(toClientString(connectionString, failed));
  } catch (error) {
    throw new RangeError(describe(error));
  }
}

/** The message of the client would quote the part that it could not read. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be read';
  const { location, expected } = error as Error & { location?: number[]; expected?: string };
  return location
    ? `it cannot be read from character ${(location[0] ?? 0) + 1} on, where ${expected} was expected`
    : error.message;
}
