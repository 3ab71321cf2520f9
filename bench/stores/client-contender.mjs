import { EventStoreDBClient, NO_STREAM, jsonEvent, streamNameFilter } from '@eventstore/db-client';

import { metadata } from './events.mjs';

const fresh = { requiresLeader: true };
/** As many pending events as our adapter permits. */
const highWaterMark = 64;

/**
 * KurrentDB's own client without additions: no deadline, no retry, no order among appends. It takes and returns
 * objects. `batched: false` makes a separate call for each append, as our adapter does.
 */
export function openClient({ connectionString, namespace, name, batched = true }) {
  const client = EventStoreDBClient.connectionString(connectionString);
  if (!batched) client.supports = () => Promise.resolve(false);
  const nameOf = (stream) => `${namespace}-${stream}`;
  return {
    name,
    append: async (stream, events, version) => {
      const stored = events.map(({ eventId: id, type, parsed: data }) =>
        jsonEvent({ id, type, data, metadata }),
      );
      const expectedRevision = version === 0 ? NO_STREAM : BigInt(version - 1);
      await client.appendToStream(nameOf(stream), stored, { ...fresh, expectedRevision });
    },
    readStream: (stream, maxCount) =>
      count(client.readStream(nameOf(stream), { ...fresh, maxCount })),
    readLog: (after, number) => {
      const read = client.readAll({ ...fresh, ...from(after), maxCount: number + 1 });
      // The server includes the event at the position.
      return count(read, -1);
    },
    follow: (after, number) => {
      const filter = streamNameFilter({ prefixes: [`${namespace}-`] });
      const options = { ...fresh, ...from(after), filter };
      const subscription = client.subscribeToAll(options, { highWaterMark });
      return count(subscription, 0, number);
    },
    close: async () => {
      await client.dispose();
      const channel = await client.getChannel();
      channel.close();
    },
  };
}

/** Our positions consist of the client's two numbers. */
function from(position) {
  const [commit, prepare] = position.split('/').map(BigInt);
  return { fromPosition: { commit, prepare } };
}

/** Receives events by callbacks, which is cheaper than iterating; resolves at the end, or at `enough`. */
async function count(stream, first = 0, enough = Number.POSITIVE_INFINITY) {
  const done = Promise.withResolvers();
  let taken = first;
  stream.on('error', done.reject);
  stream.on('end', done.resolve);
  stream.on('data', () => {
    if (++taken === enough) done.resolve();
  });
  await done.promise;
  if (Number.isFinite(enough)) await stream.unsubscribe();
  return taken;
}
