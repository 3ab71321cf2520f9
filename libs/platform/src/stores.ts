import { type Kysely } from 'kysely';

import { type Database, createDatabase, createPool } from '#database';

import { type Config } from './config.js';
import { type Logger } from './logger.js';
import { type OpenEventStore, openEventStore } from './open-event-store.js';
import { type Probe, type Readiness, readinessOf } from './readiness.js';
import { openStorage } from './storage.js';

/** The database and the event store, with connections for each kind of work. */
type Stores = Readonly<{
  connectionString: string;
  db: Kysely<Database>;
  projectorDb: Kysely<Database>;
  /** Waits for its statements as long as they take. */
  jobDb: Kysely<Database>;
  store: OpenEventStore;
  readiness: () => Promise<Readiness>;
  /** Called once, where the database is gone for good. */
  onStorageLost: (callback: (reason: Error) => void) => void;
  close: () => Promise<void>;
}>;

type PoolOptions = Parameters<typeof createPool>[0];
type Pool = ReturnType<typeof createPool>;

/** Appends and the listener have their own connections, so that slow reads cannot keep a write waiting. */
const appendPoolSize = 8;
/** What only reads needs few of them, beside one that listens. */
const readPoolSize = 2;

/** Rebuilds have theirs, whose statements may take long; opened when there is a job. */
const jobPoolSize = 8;

/** The projector has its own: a process whose requests take every connection must not look dead. */
const projectorPoolSize = 4;

/** A look that nobody waits for any more is given up. */
const lookLimitMs = 5_000;

/** Opens (and where needed makes, starts and migrates) the storage. */
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
      ...openWorkplaces(config, open, store),
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

/** `generic` plans each named statement once per connection; by itself PostgreSQL plans most of them anew each time. */
type Plans = Readonly<{ plans?: 'generic' }>;

type OpenPool = (options: Omit<PoolOptions, 'connectionString'> & Plans) => Pool;

function openWorkplaces(config: Config, open: OpenPool, store: OpenEventStore) {
  const pool = open({ applicationName: 'throughline', max: config.poolSize });
  // An index over all rows, or dropping what is old, takes as long as it takes.
  const unhurried = { statementTimeoutMs: 0 };
  const jobPool = open({ applicationName: 'throughline-jobs', max: jobPoolSize, ...unhurried });
  const projectorPool = open({ applicationName: 'throughline-projector', max: projectorPoolSize });
  const database: Probe = () => pool.query('select 1');
  const eventStore: Probe = () => store.head({ timeoutMs: lookLimitMs });
  return {
    db: createDatabase(pool),
    projectorDb: createDatabase(projectorPool),
    jobDb: createDatabase(jobPool, Number.POSITIVE_INFINITY),
    store,
    readiness: () =>
      readinessOf(config.eventStoreUrl === undefined ? { database } : { database, eventStore }),
  };
}

/** A pool that logs the connections it loses. Its statements use indexes. */
export function openPool({ plans, ...options }: PoolOptions & Plans, log: Logger): Pool {
  const pool = createPool({
    ...options,
    onError: (error) => {
      // A connection that is being closed may still hear the server go.
      if (!pool.ending) log.warn({ reason: error.message }, 'a database connection was lost');
    },
  });
  // Every query here goes by an index. A plan made while a table was small would read it whole, and is kept. None runs
  // for long, though a plan for any parameters may look so, and be compiled each time.
  pool.on('connect', (client) => {
    const generic = plans ? '; set plan_cache_mode = force_generic_plan' : '';
    client.query(`set enable_seqscan = off; set jit = off${generic}`, (error) => {
      if (error) log.debug({ reason: error.message }, 'a new connection could not be set up');
    });
  });
  return pool;
}
