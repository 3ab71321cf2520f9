import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { EventStoreDBClient } from '@eventstore/db-client';
import { ServerFeatures } from '@eventstore/db-client/dist/Client/ServerFeatures.js';

import { settled } from '#event-store-adapter';

import { SilentNodeError } from './call-failure.js';
import { toClientString } from './connection-string.js';

const probeLimitMs = 1_000;
/** How long streams have to end by being cancelled, so that their readers see the end. */
const cancelMs = 100;

type Channel = Awaited<ReturnType<EventStoreDBClient['getChannel']>>;

/** The state of a channel of @grpc/grpc-js that was closed. */
const shutDown: ReturnType<Channel['getConnectivityState']> = 4;

export type Client = EventStoreDBClient &
  Readonly<{
    /** Ends its streams and its connection, after which it makes no other; `dispose` leaves it open. */
    close: () => Promise<void>;
    /** The `host:port` that it is, or was last, connected to, or is about to be. */
    endpoint: () => string | undefined;
  }>;

/**
 * The client as its URL describes it, without four of its habits (version 6.2.1):
 *
 * - Its batched appends share one stream and one table of promises for all clients of a process: a stream that ends
 *   leaves them pending for ever, and an answer that comes after another client's failure throws where nobody can
 *   catch it. Without that feature it makes a call of its own for each append, with a deadline that holds.
 * - It asks for the server's features once and remembers a failure to answer for ever; nothing else here needs them.
 * - It looks for a new leader in the background and lets a failure of that end the process as an unhandled rejection.
 * - An append over a connection that was closed while it waited for it ends the process in the same way.
 *
 * `failed` is the endpoint, `host:port`, that the client before this one did not hear from: calls to it begin once it has
 * answered a question.
 *
 * Throws RangeError where the connection string cannot be used, without quoting it: it holds a password.
 */
export function openClient(connectionString: string, failed?: string): Client {
  const client = parse(connectionString, failed);
  if (!client['throwOnAppendFailure'])
    throw new RangeError('throwOnAppendFailure=false hides conflicts: leave it out');
  const handleError = client['handleError'];
  return Object.assign(client, {
    supports: () => Promise.resolve(false),
    execute: guarded(client['execute']),
    // A failure to find a new leader is reported by the call that needs one.
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
      // It may still be looking for a server; without one there is nothing to close, and nobody waits for that.
      void settled(channel?.then((found) => found.close()));
      const disposed = client.dispose();
      await Promise.race([disposed, delay(cancelMs)]);
      // Cancelling does not end a stream that the server has ended while some of it was not taken.
      destroyStreams(client['disposableStreams']);
      await disposed;
    },
  };
}

function destroyStreams(streams: unknown): void {
  if (!(streams instanceof Set)) throw new TypeError('the client holds its streams in no set');
  for (const stream of streams)
    if (stream instanceof Readable || stream instanceof Writable) stream.destroy();
}

/** The other nodes name a leader that has fallen silent until they have elected another: it has a second to answer. */
async function refuseSilent(channel: Channel): Promise<void> {
  const [FeaturesClient, , ask] = ServerFeatures.createServerFeatures;
  // As the client makes its own: a channel that is there needs no address and no credentials.
  const options = { channelOverride: channel };
  const features: unknown = Reflect.construct(FeaturesClient, [null, null, options]);
  if (!(features instanceof FeaturesClient))
    throw new TypeError('the client of the features is of another class');
  const silent = Promise.withResolvers<never>();
  const timer = setTimeout(() => silent.reject(new SilentNodeError()), probeLimitMs);
  try {
    // A failure is an answer too: the call that follows gets the same.
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

/** The client's own message repeats what it could not read. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'it cannot be read';
  const { location, expected } = error as Error & { location?: number[]; expected?: string };
  return location
    ? `it cannot be read from character ${(location[0] ?? 0) + 1} on, where ${expected} was expected`
    : error.message;
}
