import { EventStoreDBClient } from '@eventstore/db-client';

export type Client = EventStoreDBClient;

/**
 * The client as its URL describes it, without three of its habits (version 6.2.1):
 *
 * - Its batched appends share one stream and one table of promises for all clients of a process: a stream that ends
 *   leaves them pending for ever, and an answer that comes after another client's failure throws where nobody can
 *   catch it. Without that feature it makes a call of its own for each append, with a deadline that holds.
 * - It asks for the server's features once and remembers a failure to answer for ever; nothing else here needs them.
 * - It looks for a new leader in the background and lets a failure of that end the process as an unhandled rejection.
 *
 * Throws RangeError where the connection string cannot be used, without quoting it: it holds a password.
 */
export function openClient(connectionString: string): Client {
  const client = parse(connectionString);
  if (!client['throwOnAppendFailure'])
    throw new RangeError('throwOnAppendFailure=false hides conflicts: leave it out');
  const reconnect = client['handleError'];
  return Object.assign(client, {
    supports: () => Promise.resolve(false),
    // The call that needs the connection fails by itself and is tried again.
    handleError: (...failure: Parameters<typeof reconnect>) =>
      reconnect(...failure).catch(() => undefined),
  });
}

/** Ends its streams and its connection, which `dispose` would leave open. */
export async function closeClient(client: Client): Promise<void> {
  await client.dispose();
  try {
    const channel = await client['getChannel']();
    channel.close();
  } catch {
    // It never found a server to connect to.
  }
}

function parse(connectionString: string): Client {
  try {
    return EventStoreDBClient.connectionString(connectionString);
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
