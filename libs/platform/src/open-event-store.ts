import { type Pool } from 'pg';

import { StartupError } from '#database';
import { type EventStore, StoreUnavailableError } from '#event-sourcing';
import { type KurrentEventStore } from '#event-store-kurrentdb';
import { PostgresEventStore } from '#event-store-postgres';

import { type Config } from './config.js';
import { describeEventStore, isExposed, parseEventStoreAddress } from './event-store-address.js';
import { type Logger } from './logger.js';

/** The streams, wherever they are. */
export type OpenEventStore = EventStore & Readonly<{ close: () => Promise<void> }>;

type EventStoreSite = Readonly<{
  config: Config;
  log: Logger;
  /** Connections for streams in PostgreSQL; asked for only where they are there, and ended by the caller. */
  openPool: () => Pool;
  /** How long KurrentDB may take to answer for the first time: it may be starting too. */
  startLimitMs?: number;
}>;

/** Streams cannot be used; the message is one sentence for whoever set EVENTSTORE_URL, and holds nothing of it. */
export class EventStoreStartError extends StartupError {
  readonly code = 'event-store-start-failed';
}

/** Opens the event store of the configuration, and has it answer. Throws {@link EventStoreStartError}. */
export async function openEventStore(site: EventStoreSite): Promise<OpenEventStore> {
  const { eventStoreUrl: connectionString, eventStoreNamespace: namespace } = site.config;
  if (connectionString === undefined) return new PostgresEventStore({ pool: site.openPool() });
  warnWhereExposed(connectionString, site.log);
  const store = await openKurrent({ connectionString, namespace });
  try {
    await answers(store, site.startLimitMs ?? 30_000);
    return store;
  } catch (error) {
    await store.close();
    throw await asStartError(error);
  }
}

/** In place of connections, for whoever knows that streams are in KurrentDB. */
export function noPool(): never {
  throw new Error('streams in KurrentDB need no connection to PostgreSQL');
}

/** Loaded only where it is used: its client is a tenth of all that a server loads. */
async function openKurrent(options: {
  connectionString: string;
  namespace: string;
}): Promise<KurrentEventStore> {
  const { KurrentEventStore } = await import('#event-store-kurrentdb');
  try {
    return new KurrentEventStore(options);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new EventStoreStartError(`EVENTSTORE_URL: ${cause.message}`, { cause });
  }
}

/** Its identity, which needs the leader; and its head, which needs leave to read $all. */
async function answers(store: EventStore, timeoutMs: number): Promise<void> {
  await store.identity({ timeoutMs });
  await store.head({ timeoutMs });
}

/** The adapter's reasons hold no part of the connection string. */
async function asStartError(error: unknown): Promise<unknown> {
  if (!(error instanceof StoreUnavailableError)) return error;
  const { UnsupportedServerError } = await import('#event-store-kurrentdb');
  if (error instanceof UnsupportedServerError)
    return new EventStoreStartError(`EVENTSTORE_URL: ${error.message}.`, { cause: error });
  return new EventStoreStartError(
    `EVENTSTORE_URL: ${error.message}: check that the server runs and is the leader, and that hosts, TLS options, user and password in the URL are right.`,
    { cause: error },
  );
}

function warnWhereExposed(connectionString: string, log: Logger): void {
  const address = parseEventStoreAddress(connectionString);
  if (isExposed(address))
    log.warn(
      { eventStore: describeEventStore(address) },
      'EVENTSTORE_URL has tls=false: events travel in clear text, and nobody is asked for a password',
    );
}
