import { eventStoreContract, openTcpProxy, openTestKurrentDb } from '#testing';

import { KurrentEventStore } from './kurrent-event-store.js';

/** A test need not wait as long as a person would. */
const answerLimitMs = 1_000;

eventStoreContract(
  'KurrentEventStore',
  async () => {
    const server = await openTestKurrentDb();
    const namespace = server.namespace();
    const url = new URL(server.connectionString);
    const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port || 2113) });
    url.host = `127.0.0.1:${proxy.port}`;
    const store = new KurrentEventStore({ connectionString: url.href, namespace, answerLimitMs });
    const rival = new KurrentEventStore({
      ...{ connectionString: server.connectionString, namespace, answerLimitMs },
    });
    return {
      store,
      rival,
      freeze: async () => {
        // Leaves a connection that is open and idle.
        await store.head();
        proxy.blackHole();
        return async () => proxy.heal();
      },
      close: async () => {
        await Promise.all([store.close(), rival.close()]);
        await proxy.close();
        await server.close();
      },
    };
  },
  { countsEvents: false, answersAtOnce: false },
);
