import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

import { asPortEvent } from './events.mjs';

/** As many connections as the server gives its store. */
const poolSize = 5;
/** The batches of a projector. */
const batchSize = 500;

export async function openPostgres({ build, connectionString, name }) {
  const pool = build.createPool({ connectionString, applicationName: 'bench', max: poolSize });
  await build.migrateToLatest(build.createDatabase(pool));
  const store = new build.PostgresEventStore({ pool });
  return throughPort(name, store, () => pool.end());
}

export async function openAdapter({ build, connectionString, namespace, name }) {
  const entry = join(build.directory, 'libs/event-store-kurrentdb/src/index.js');
  const { KurrentEventStore } = await import(pathToFileURL(entry).href);
  return throughPort(name, new KurrentEventStore({ connectionString, namespace }));
}

/** The same calls for each implementation of the port. `place` is a position of that implementation. */
function throughPort(name, store, end = () => undefined) {
  return {
    name,
    append: async (stream, events, version) => {
      const expected = version === 0 ? 'no-stream' : version;
      const { position } = await store.append(stream, events.map(asPortEvent), expected);
      return position;
    },
    readStream: async (stream, limit) => (await store.readStream(stream, { limit })).length,
    readLog: async (after, count) => {
      let place = after;
      let read = 0;
      while (read < count) {
        const limit = Math.min(batchSize, count - read);
        const page = await store.readAll({ after: place, limit });
        if (page.length === 0) break;
        read += page.length;
        place = page.at(-1).position;
      }
      return read;
    },
    follow: async (after, count) => {
      const over = new AbortController();
      let read = 0;
      const batches = store.subscribeAll({ after, batchSize, signal: over.signal });
      for await (const batch of batches) if ((read += batch.length) >= count) over.abort();
      return read;
    },
    close: async () => {
      await store.close();
      await end();
    },
  };
}
