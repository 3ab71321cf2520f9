import { type Pool } from 'pg';

import { StartupError } from '#database';
import { type EventStore, StoreUnavailableError } from '#event-sourcing';
import { type KurrentEventStore } from '#event-store-kurrentdb';
import { PostgresEventStore } from '#event-store-postgres';

import { type Config } from './config.js';
import { describeEventStore, isExposed, parseEventStoreAddress } from './event-store-address.js';
import { type Logger } from './logger.js';

/** An event store with a connection to close. */
export type OpenEventStore = EventStore & Readonly<{ close: () => Promise<void> }>;

type EventStoreOptions = Readonly<{
  config: Config;
  log: Logger;
  /** Opens the connections for streams in PostgreSQL; called only if streams are there. The caller closes them. */
  openPool: () => Pool;
  /** The time limit for the first answer of KurrentDB, which may be starting at the same time. */
  startLimitMs?: number;
}>;

/** The event store cannot be used. The message is one sentence for the operator, and does not quote EVENTSTORE_URL. */
export class EventStoreStartError extends StartupError {
  readonly code = 'event-store-start-failed';
}

/** Opens the configured event store and waits for its first answer. Throws {@link EventStoreStartError}. */
export async function openEventStore(options: EventStoreOptions): Promise<OpenEventStore> {
  const { eventStoreUrl: connectionString, eventStoreNamespace: namespace } = options.config;
  if (connectionString === undefined) return new PostgresEventStore({ pool: options.openPool() });
  warnIfExposed(connectionString, options.log);
  const store = await openKurrent({ connectionString, namespace });
  try {
    await checkAnswers(store, options.startLimitMs ?? 30_000);
    return store;
  } catch (error) {
    await store.close();
    throw await asStartError(error);
  }
}

/** An `openPool` for configurations with streams in KurrentDB. */
export function noPool(): never {
  throw new Error('streams in KurrentDB need no connection to PostgreSQL');
}

/** Loads the adapter on demand, because its client is a tenth of the code that a server loads. */
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

/** Checks that the store answers: the identity needs the leader, and the head needs the permission to read $all. */
async function checkAnswers(store: EventStore, timeoutMs: number): Promise<void> {
  await store.identity({ timeoutMs });
  await store.head({ timeoutMs });
}

/** Converts an error of the adapter, whose messages contain no part of the connection string. */
async function asStartError(error: unknown): Promise<unknown> {
  if (!(error instanceof StoreUnavailableError)) return error;
  const { UnsupportedServerError } = await import('#event-store-kurrentdb');
  if (error instanceof UnsupportedServerError)
    return new EventStoreStartError(`EVENTSTORE_URL: ${error.message}.`, { cause: error });
  return new EventStoreStartError(
    `EVENTSTORE_URL: ${error.message}: check that the server runs and is the leader, and that hosts, TLS options, user and password in the URL are correct.`,
    { cause: error },
  );
}

function warnIfExposed(connectionString: string, log: Logger): void {
  const address = parseEventStoreAddress(connectionString);
  if (isExposed(address))
    log.warn(
      { eventStore: describeEventStore(address) },
      'EVENTSTORE_URL has tls=false: events are sent unencrypted, and KurrentDB does not check passwords',
    );
}
