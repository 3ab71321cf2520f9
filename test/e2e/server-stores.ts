import { openTestDatabase, openTestServer } from '#testing';

/** Where the servers of a test keep what they are told; `env` tells them. */
export type ServerStores = Readonly<{
  env: Readonly<Record<string, string>>;
  close: () => Promise<void>;
}>;

const embedded: ServerStores = {
  env: { DATABASE_URL: '', EVENTSTORE_URL: '' },
  close: () => Promise.resolve(),
};

const kinds: Readonly<Record<string, () => Promise<ServerStores>>> = {
  embedded: () => Promise.resolve(embedded),
  external: openExternal,
};

/** The whole suite runs on each of them: chosen by THROUGHLINE_E2E_STORES, the embedded PostgreSQL without it. */
export function openServerStores(): Promise<ServerStores> {
  const kind = process.env['THROUGHLINE_E2E_STORES'] || 'embedded';
  const open = kinds[kind];
  if (!open)
    throw new Error(
      `THROUGHLINE_E2E_STORES is one of ${Object.keys(kinds).join(', ')}, not ${kind}`,
    );
  return open();
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
