import { createPool } from '#database';
import {
  type TestServer,
  eventStoreContract,
  openTcpProxy,
  openTestDatabase,
  openTestServer,
} from '#testing';

import { PostgresEventStore } from './postgres-event-store.js';

let server: TestServer;

beforeAll(async () => {
  server = await openTestServer();
}, 60_000);

afterAll(() => server.close());

eventStoreContract(
  'PostgresEventStore',
  async () => {
    const database = await openTestDatabase(server);
    const url = new URL(database.connectionString);
    const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const pool = createPool({ connectionString: url.href, applicationName: 'proxied' });
    const store = new PostgresEventStore({ pool });
    const rival = new PostgresEventStore({ pool: database.pool });
    return {
      store,
      rival,
      freeze: async () => {
        // Leaves an open, idle connection.
        await store.head();
        proxy.blackHole();
        return async () => proxy.heal();
      },
      close: async () => {
        await Promise.all([store.close(), rival.close()]);
        await pool.end();
        await proxy.close();
        await database.close();
      },
    };
  },
  { countsEvents: true, answersAtOnce: false, canFreeze: true },
);
