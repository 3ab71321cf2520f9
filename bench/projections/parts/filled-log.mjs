import { agentWork } from '../agent-work.mjs';
import { Sealer, fillLog } from '../sealed-log.mjs';

const poolSize = 8;

/** A database with the work of many agents in its log, and without read models. */
export async function fillDatabase(given, connectionString, work = agentWork(given)) {
  return withStore(given, connectionString, async (store) => {
    const sealer = new Sealer(given.build);
    const log = await fillLog(
      store,
      mapped(work, (event) => sealer.seal(event)),
    );
    await given.databases.settle(connectionString);
    return log;
  });
}

/** A migrated database and its event store for the duration of `use`. */
export async function withStore({ build }, connectionString, use) {
  const pool = build.createPool({ connectionString, applicationName: 'bench', max: poolSize });
  await build.migrateToLatest(build.createDatabase(pool));
  const store = new build.PostgresEventStore({ pool });
  try {
    return await use(store);
  } finally {
    await store.close();
    await pool.end();
  }
}

function* mapped(events, change) {
  for (const event of events) yield change(event);
}
