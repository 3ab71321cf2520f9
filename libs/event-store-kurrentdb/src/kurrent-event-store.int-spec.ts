import { canBeCutOff, eventStoreContract, openKurrentDbProxy, openTestKurrentDb } from '#testing';

import { KurrentEventStore } from './kurrent-event-store.js';

const { EVENTSTORE_URL: named } = process.env;
const canFreeze = !named || canBeCutOff(named);

eventStoreContract(
  'KurrentEventStore',
  async () => {
    const server = await openTestKurrentDb();
    const namespace = server.namespace();
    const { connectionString: direct } = server;
    const { proxy, connectionString } = (await openKurrentDbProxy(direct)) ?? {
      proxy: undefined,
      connectionString: direct,
    };
    const store = new KurrentEventStore({ connectionString, namespace });
    const rival = new KurrentEventStore({ connectionString: direct, namespace });
    return {
      store,
      rival,
      freeze: async () => {
        // Leaves an open, idle connection.
        await store.head();
        proxy?.blackHole();
        return async () => proxy?.heal();
      },
      close: async () => {
        await Promise.all([store.close(), rival.close()]);
        await proxy?.close();
        await server.close();
      },
    };
  },
  { countsEvents: false, answersAtOnce: false, canFreeze },
);
