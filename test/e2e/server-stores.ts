import { type EventStore } from '#event-sourcing';
import { PostgresEventStore } from '#event-store-postgres';
import { type TestDatabase, openTestDatabase, openTestKurrentDb, openTestServer } from '#testing';

/** Where the servers of a test keep what they are told; `env` tells them. */
export type ServerStores = Readonly<{
  env: Readonly<Record<string, string>>;
  close: () => Promise<void>;
}>;

const embedded: ServerStores = {
  env: { DATABASE_URL: '', EVENTSTORE_URL: '' },
  close: () => Promise.resolve(),
};

const kinds = {
  embedded: () => Promise.resolve(embedded),
  external: openExternal,
  kurrentdb: openKurrentDb,
};

/** The whole suite runs on each of them: chosen by THROUGHLINE_E2E_STORES, the embedded PostgreSQL without it. */
export function openServerStores(): Promise<ServerStores> {
  return kinds[chosenKind()]();
}

/** Where the streams of a server are whose PostgreSQL the test has opened, and another way to them. */
export async function openStreams({ pool }: TestDatabase) {
  const { env, close } = chosenKind() === 'kurrentdb' ? await openKurrentDb() : embedded;
  const { EVENTSTORE_URL: connectionString = '', EVENTSTORE_NAMESPACE: namespace = '' } = env;
  return {
    env: { EVENTSTORE_URL: connectionString, EVENTSTORE_NAMESPACE: namespace },
    close,
    openStore: async (): Promise<EventStore & { close: () => Promise<void> }> => {
      if (connectionString === '') return new PostgresEventStore({ pool });
      // Its client is large, and most suites never need it.
      const { KurrentEventStore } = await import('#event-store-kurrentdb');
      return new KurrentEventStore({ connectionString, namespace });
    },
  };
}

/** A database for servers of a suite that looks into it, and where their streams are; `env` tells the servers of both. */
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

function chosenKind(): keyof typeof kinds {
  const kind = process.env['THROUGHLINE_E2E_STORES'] || 'embedded';
  if (kind === 'embedded' || kind === 'external' || kind === 'kurrentdb') return kind;
  throw new Error(`THROUGHLINE_E2E_STORES is one of ${Object.keys(kinds).join(', ')}, not ${kind}`);
}

/** Everything in a PostgreSQL that the server did not start. */
async function openExternal(): Promise<ServerStores> {
  const server = await openTestServer();
  const { connectionString, close } = await openTestDatabase(server);
  return {
    env: { ...embedded.env, DATABASE_URL: connectionString },
    close: async () => {
      await close();
      await server.close();
    },
  };
}

/** Streams in KurrentDB, or what stands in for it; keys and read models in the embedded PostgreSQL. */
async function openKurrentDb(): Promise<ServerStores> {
  const { connectionString, namespace, close } = await openTestKurrentDb();
  return {
    env: {
      ...embedded.env,
      EVENTSTORE_URL: connectionString,
      EVENTSTORE_NAMESPACE: namespace(),
    },
    close,
  };
}
