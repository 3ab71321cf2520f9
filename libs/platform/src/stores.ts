import { type Kysely } from 'kysely';

import { type Database, createDatabase, createPool } from '#database';

import { type Config } from './config.js';
import { type Logger } from './logger.js';
import { type OpenEventStore, openEventStore } from './open-event-store.js';
import { type Probe, type Readiness, readinessOf } from './readiness.js';
import { openStorage } from './storage.js';

/** The database and the event store, with separate connections for each kind of work. */
type Stores = Readonly<{
  connectionString: string;
  db: Kysely<Database>;
  projectorDb: Kysely<Database>;
  /** Has no statement timeout. */
  jobDb: Kysely<Database>;
  store: OpenEventStore;
  readiness: () => Promise<Readiness>;
  /** The callback is called once if the database is lost permanently. */
  onStorageLost: (callback: (reason: Error) => void) => void;
  close: () => Promise<void>;
}>;

type PoolOptions = Parameters<typeof createPool>[0];
type Pool = ReturnType<typeof createPool>;

/** Appends and the listener have their own connections, so that slow reads cannot delay writes. */
const appendPoolSize = 8;
/** A worker runs few requests at the same time, and needs few connections in addition to the listener. */
const readPoolSize = 2;

/** Rebuilds have their own connections, opened on demand, because their statements may take long. */
const jobPoolSize = 8;

/** The projector has its own connections, so that requests that use all others do not make it appear dead. */
const projectorPoolSize = 4;

/** The time limit of a probe; by then, no caller waits for it. */
const probeTimeoutMs = 5_000;

/** Opens the storage, and if needed creates, starts and migrates it. */
export async function openStores(
  config: Config,
  log: Logger,
  { appends = true }: Readonly<{ appends?: boolean }> = {},
): Promise<Stores> {
  const storage = await openStorage(config, log);
  const pools: Pool[] = [];
  const open: OpenPool = (options) => {
    const pool = openPool({ connectionString: storage.connectionString, ...options }, log);
    pools.push(pool);
    return pool;
  };
  const closeStorage = async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await storage.stop();
  };
  try {
    const openStorePool = () =>
      open({
        applicationName: 'throughline-streams',
        max: appends ? appendPoolSize : readPoolSize,
        plans: 'generic',
      });
    const store = await openEventStore({ config, log, openPool: openStorePool });
    return {
      ...openDatabases(config, open, store),
      connectionString: storage.connectionString,
      onStorageLost: storage.onLost,
      close: async () => {
        await store.close();
        await closeStorage();
      },
    };
  } catch (error) {
    await closeStorage();
    throw error;
  }
}

/** `generic` plans each named statement once per connection; by default PostgreSQL plans most of them on every execution. */
type Plans = Readonly<{ plans?: 'generic' }>;

type OpenPool = (options: Omit<PoolOptions, 'connectionString'> & Plans) => Pool;

function openDatabases(config: Config, open: OpenPool, store: OpenEventStore) {
  const pool = open({ applicationName: 'throughline', max: config.poolSize });
  // Building an index over all rows, or dropping old rows, may take long.
  const withoutTimeout = { statementTimeoutMs: 0 };
  const jobPool = open({
    applicationName: 'throughline-jobs',
    max: jobPoolSize,
    ...withoutTimeout,
  });
  const projectorPool = open({ applicationName: 'throughline-projector', max: projectorPoolSize });
  const database: Probe = () => pool.query('select 1');
  const eventStore: Probe = () => store.head({ timeoutMs: probeTimeoutMs });
  return {
    db: createDatabase(pool),
    projectorDb: createDatabase(projectorPool),
    jobDb: createDatabase(jobPool, Number.POSITIVE_INFINITY),
    store,
    readiness: () =>
      readinessOf(config.eventStoreUrl === undefined ? { database } : { database, eventStore }),
  };
}

/** A pool that logs lost connections, and whose statements use indexes. */
export function openPool({ plans, ...options }: PoolOptions & Plans, log: Logger): Pool {
  const pool = createPool({
    ...options,
    onError: (error) => {
      // A closing connection may still report the end of the server.
      if (!pool.ending) log.warn({ reason: error.message }, 'a database connection was lost');
    },
  });
  // All statements use indexes. PostgreSQL caches plans; one made while a table was small would read the table sequentially later too.
  // JIT is off because no statement runs for long, although the estimate of a generic plan may be high enough to compile it each time.
  pool.on('connect', (client) => {
    const generic = plans ? '; set plan_cache_mode = force_generic_plan' : '';
    client.query(`set enable_seqscan = off; set jit = off${generic}`, (error) => {
      if (error) log.debug({ reason: error.message }, 'a new connection could not be configured');
    });
  });
  return pool;
}
