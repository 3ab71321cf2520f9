import { eventStoreContract, openTcpProxy, openTestKurrentDb } from '#testing';

import { KurrentEventStore } from './kurrent-event-store.js';

/** What a test can stand in front of: one node, and no certificate that names another. */
const isPlain = (url: string): boolean => /^esdb:\/\/[^,]*\?(.*&)?tls=false/i.test(url);

/** A server that cannot be cut off answers at once, as far as these tests can say. */
const { EVENTSTORE_URL: named } = process.env;
const answersAtOnce = Boolean(named) && !isPlain(named ?? '');

/** A test need not wait as long as a person would. */
const answerLimitMs = 1_000;

eventStoreContract(
  'KurrentEventStore',
  async () => {
    const server = await openTestKurrentDb();
    const namespace = server.namespace();
    const way = await openWay(server.connectionString);
    const store = new KurrentEventStore({
      ...{ connectionString: way.connectionString, namespace, answerLimitMs },
    });
    const rival = new KurrentEventStore({
      ...{ connectionString: server.connectionString, namespace, answerLimitMs },
    });
    return {
      store,
      rival,
      freeze: async () => {
        // Leaves a connection that is open and idle.
        await store.head();
        way.proxy?.blackHole();
        return async () => way.proxy?.heal();
      },
      close: async () => {
        await Promise.all([store.close(), rival.close()]);
        await way.proxy?.close();
        await server.close();
      },
    };
  },
  { countsEvents: false, answersAtOnce },
);

/** To the server, through a proxy where that is possible. */
async function openWay(connectionString: string) {
  if (answersAtOnce) return { connectionString, proxy: undefined };
  const url = new URL(connectionString);
  const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port || 2113) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { connectionString: url.href, proxy };
}
