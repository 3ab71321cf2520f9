import { type Kysely } from 'kysely';

import { type Database, createDatabase, createPool } from '#database';
import { PostgresEventStore } from '#event-store-postgres';

import { answerWithin } from './answer-within.js';
import { type Config } from './config.js';
import { type Logger } from './logger.js';
import { openStorage } from './storage.js';

/** The database and the event store in it, with connections for each kind of work. */
export type Stores = Readonly<{
  db: Kysely<Database>;
  projectorDb: Kysely<Database>;
  /** Waits for its statements as long as they take. */
  jobDb: Kysely<Database>;
  store: PostgresEventStore;
  /** Whether the database answers. */
  ready: () => Promise<boolean>;
  /** Called once, where the database is gone for good. */
  onStorageLost: (callback: (reason: Error) => void) => void;
  close: () => Promise<void>;
}>;

type PoolOptions = Parameters<typeof createPool>[0];
type Pool = ReturnType<typeof createPool>;

/** Appends and the listener have their own connections, so that slow reads cannot keep a write waiting. */
const storePoolSize = 8;

/** Rebuilds have theirs, whose statements may take long; opened when there is a job. */
const jobPoolSize = 8;

/** The projector has its own: a process whose requests take every connection must not look dead. */
const projectorPoolSize = 4;

/** Health and metrics say so rather than wait. */
const probeLimitMs = 1_000;

/** Opens (and where needed makes, starts and migrates) the storage. */
export async function openStores(config: Config, log: Logger): Promise<Stores> {
  const storage = await openStorage(config, log);
  const open = (options: Omit<PoolOptions, 'connectionString'>) =>
    openPool({ connectionString: storage.connectionString, ...options }, log);
  const pool = open({ applicationName: 'throughline', max: config.poolSize });
  const storePool = open({ applicationName: 'throughline-streams', max: storePoolSize });
  // An index over all rows, or dropping what is old, takes as long as it takes.
  const unhurried = { statementTimeoutMs: 0 };
  const jobPool = open({ applicationName: 'throughline-jobs', max: jobPoolSize, ...unhurried });
  const projectorPool = open({ applicationName: 'throughline-projector', max: projectorPoolSize });
  const db = createDatabase(pool);
  const projectorDb = createDatabase(projectorPool);
  const jobDb = createDatabase(jobPool, Number.POSITIVE_INFINITY);
  const store = new PostgresEventStore({ pool: storePool });
  return {
    ...{ db, projectorDb, jobDb, store },
    ready: () => answers(pool),
    onStorageLost: storage.onLost,
    close: async () => {
      await store.close();
      await Promise.all([db, projectorDb, jobDb].map((each) => each.destroy()));
      await storePool.end();
      await storage.stop();
    },
  };
}

function openPool(options: PoolOptions, log: Logger): Pool {
  const pool = createPool({
    ...options,
    onError: (error) => {
      // A connection that is being closed may still hear the server go.
      if (!pool.ending) log.warn({ reason: error.message }, 'a database connection was lost');
    },
  });
  // Every query here goes by an index. A plan made while a table was small would read it whole, and is kept.
  pool.on('connect', (client) => {
    client.query('set enable_seqscan = off', (error) => {
      if (error) log.debug({ reason: error.message }, 'a new connection could not be set up');
    });
  });
  return pool;
}

async function answers(pool: Pool): Promise<boolean> {
  const answer = await answerWithin(probeLimitMs, () => pool.query('select 1'));
  return answer !== undefined;
}
