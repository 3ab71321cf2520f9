import { createPool } from '#database';
import { type TestServer, eventStoreContract, openTestDatabase, openTestServer } from '#testing';

import { PostgresEventStore } from './postgres-event-store.js';

let server: TestServer;

beforeAll(async () => {
  server = await openTestServer();
}, 60_000);

afterAll(() => server.close());

eventStoreContract(
  'PostgresEventStore',
  async () => {
    const { connectionString, pool, close } = await openTestDatabase(server);
    const rivalPool = createPool({ connectionString, applicationName: 'rival' });
    const store = new PostgresEventStore({ pool });
    const rival = new PostgresEventStore({ pool: rivalPool });
    return {
      store,
      rival,
      freeze: async () => {
        const blocker = await rivalPool.connect();
        await blocker.query(
          'begin; lock table throughline.streams, throughline.events, throughline.log_head',
        );
        return async () => {
          await blocker.query('rollback');
          blocker.release();
        };
      },
      close: async () => {
        await Promise.all([store.close(), rival.close()]);
        await rivalPool.end();
        await close();
      },
    };
  },
  { countsEvents: true, answersAtOnce: false },
);
