import { randomBytes } from 'node:crypto';

import { openClient } from './client-contender.mjs';
import { openAdapter, openPostgres } from './port-contender.mjs';
import { openStandIn } from './stand-in.mjs';

export const names = {
  postgres: 'port on PostgreSQL',
  adapter: 'port on KurrentDB, stand-in',
  client: 'client alone, stand-in',
  unbatched: 'client alone, a call an append, stand-in',
  serverAdapter: 'port on KurrentDB, server',
  serverClient: 'client alone, server',
  serverUnbatched: 'client alone, a call an append, server',
};

/**
 * Opens all contenders in new stores: a database, a stand-in, a namespace of the server in EVENTSTORE_URL. Adapter and
 * client share one, so that they can read the same log. `written` states who writes it.
 */
export async function openContenders({ build, server, serverUrl }, database) {
  const standIn = await openStandIn();
  const connectionString = await server.createDatabase(database);
  const local = { build, connectionString: standIn.connectionString, namespace: newNamespace() };
  const contenders = [
    await openPostgres({ build, connectionString, name: names.postgres }),
    ...(await overKurrentDb(local, [names.adapter, names.client, names.unbatched])),
  ];
  if (serverUrl) {
    const far = { build, connectionString: serverUrl, namespace: newNamespace() };
    const called = [names.serverAdapter, names.serverClient, names.serverUnbatched];
    contenders.push(...(await overKurrentDb(far, called)));
  }
  return {
    contenders,
    close: async () => {
      for (const { close } of contenders) await close();
      await standIn.close();
    },
  };
}

async function overKurrentDb(place, [adapter, client, unbatched]) {
  return [
    await openAdapter({ ...place, name: adapter }),
    { ...openClient({ ...place, name: client }), reads: adapter },
    { ...openClient({ ...place, name: unbatched, batched: false }), onlyAppends: true },
  ];
}

function newNamespace() {
  return `bench_${randomBytes(6).toString('hex')}`;
}
