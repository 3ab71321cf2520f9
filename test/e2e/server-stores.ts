import { type EventStore } from '#event-sourcing';
import { PostgresEventStore } from '#event-store-postgres';
import { type TestDatabase, openTestDatabase, openTestKurrentDb, openTestServer } from '#testing';

/** The stores of the servers of a test; `env` configures the servers for them. */
export type ServerStores = Readonly<{
  env: Readonly<Record<string, string>>;
  close: () => Promise<void>;
}>;

const embeddedStores: ServerStores = {
  env: { DATABASE_URL: '', EVENTSTORE_URL: '' },
  close: () => Promise.resolve(),
};

const kinds = {
  embedded: () => Promise.resolve(embeddedStores),
  external: openExternal,
  kurrentdb: openKurrentDb,
};

/**
 * The whole suite runs on each kind of stores: THROUGHLINE_E2E_STORES selects one, the default is the embedded
 * PostgreSQL.
 */
export function openServerStores(): Promise<ServerStores> {
  return kinds[selectedKind()]();
}

/** The streams of a server whose PostgreSQL the test has opened, and direct access to them. */
export async function openStreams({ pool }: TestDatabase) {
  const { env, close } = selectedKind() === 'kurrentdb' ? await openKurrentDb() : embeddedStores;
  const { EVENTSTORE_URL: connectionString = '', EVENTSTORE_NAMESPACE: namespace = '' } = env;
  return {
    env: { EVENTSTORE_URL: connectionString, EVENTSTORE_NAMESPACE: namespace },
    close,
    openStore: async (): Promise<EventStore & { close: () => Promise<void> }> => {
      if (connectionString === '') return new PostgresEventStore({ pool });
      // The client is large, and most suites do not need it.
      const { KurrentEventStore } = await import('#event-store-kurrentdb');
      return new KurrentEventStore({ connectionString, namespace });
    },
  };
}

/** A database that a suite may query, and the streams; `env` configures servers for both. */
export async function openServerDatabase() {
  const postgres = await openTestServer();
  const database = await openTestDatabase(postgres);
  const streams = await openStreams(database);
  return {
    database,
    streams,
    env: { DATABASE_URL: database.connectionString, ...streams.env },
    close: async () => {
      await streams.close();
      await database.close();
      await postgres.close();
    },
  };
}

export type ServerDatabase = Awaited<ReturnType<typeof openServerDatabase>>;

function selectedKind(): keyof typeof kinds {
  const kind = process.env['THROUGHLINE_E2E_STORES'] || 'embedded';
  if (kind === 'embedded' || kind === 'external' || kind === 'kurrentdb') return kind;
  throw new Error(`THROUGHLINE_E2E_STORES is one of ${Object.keys(kinds).join(', ')}, not ${kind}`);
}

/** All data in a PostgreSQL that the server did not start. */
async function openExternal(): Promise<ServerStores> {
  const server = await openTestServer();
  const { connectionString, close } = await openTestDatabase(server);
  return {
    env: { ...embeddedStores.env, DATABASE_URL: connectionString },
    close: async () => {
      await close();
      await server.close();
    },
  };
}

/** Streams in KurrentDB or its stand-in; keys and read models in the embedded PostgreSQL. */
async function openKurrentDb(): Promise<ServerStores> {
  const { connectionString, namespace, close } = await openTestKurrentDb();
  return {
    env: {
      ...embeddedStores.env,
      EVENTSTORE_URL: connectionString,
      EVENTSTORE_NAMESPACE: namespace(),
    },
    close,
  };
}
