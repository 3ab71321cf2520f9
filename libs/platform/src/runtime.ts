import { type KeyObject } from 'node:crypto';

import { type Kysely } from 'kysely';

import { type AuditRecord } from '#application';
import { type Database, createDatabase, createPool } from '#database';
import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader, type Projector } from '#read-models';

import { answerWithin } from './answer-within.js';
import { type Config } from './config.js';
import { type Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { openProjection } from './projection.js';
import { type RootKey, openRootKey } from './root-key.js';
import { findOrMakeSecret } from './server-secrets.js';
import { openStorage } from './storage.js';

/** Everything a server stands on, opened in order and closed in reverse. */
export type Runtime = Readonly<{
  config: Config;
  log: Logger;
  metrics: Metrics;
  db: Kysely<Database>;
  store: PostgresEventStore;
  reader: ContextReader;
  projector: Projector;
  /** Keeps the read models from here on, rebuilds included; done already unless the projector is external. */
  startProjection: () => void;
  fingerprintKey: KeyObject;
  rootKey: RootKey;
  audit: (record: AuditRecord) => void;
  /** Whether the database answers. */
  ready: () => Promise<boolean>;
  /** Called once, where the database is gone for good: drain and end. */
  onStorageLost: (callback: (reason: Error) => void) => void;
  /** Call once requests have drained: the projector finishes its batch, then the connections and the database end. */
  close: () => Promise<void>;
}>;

type Pool = ReturnType<typeof createPool>;

/** Appends and the listener have their own connections, so that slow reads cannot keep a write waiting. */
const storePoolSize = 8;

/** Rebuilds have theirs, whose statements may take long; opened when there is a job. */
const jobPoolSize = 8;

/** Health and metrics say so rather than wait. */
const probeLimitMs = 1_000;

/** Opens (and where needed makes, starts and migrates) the storage; the projector starts with it. */
export async function openRuntime(config: Config, log: Logger): Promise<Runtime> {
  const storage = await openStorage(config, log);
  const metrics = new Metrics();
  const [pool, storePool, jobPool] = [
    openPool(storage.connectionString, 'throughline', config.poolSize, log),
    openPool(storage.connectionString, 'throughline-streams', storePoolSize, log),
    openPool(storage.connectionString, 'throughline-jobs', jobPoolSize, log),
  ];
  const [db, jobDb] = [createDatabase(pool), createDatabase(jobPool, Number.POSITIVE_INFINITY)];
  const store = new PostgresEventStore({ pool: storePool });
  const close = async () => {
    await store.close();
    await Promise.all([db.destroy(), jobDb.destroy(), storePool.end()]);
    await storage.stop();
  };
  try {
    const fingerprintKey = await findOrMakeSecret(db, 'fingerprint-key');
    const rootKey = await openRootKey(db, config);
    const { projector, ...projection } = openProjection({ db, jobDb, store, log, metrics });
    if (config.projector === 'internal') projection.start();
    const reader = new ContextReader(db, store);
    const audit = (record: AuditRecord) => log.info({ audit: record }, 'recorded');
    return {
      ...{ config, log, metrics, db, store, reader, projector, fingerprintKey, rootKey, audit },
      startProjection: projection.start,
      ready: () => answers(pool),
      onStorageLost: storage.onLost,
      close: async () => {
        await projection.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function openPool(
  connectionString: string,
  applicationName: string,
  max: number,
  log: Logger,
): Pool {
  const pool = createPool({
    ...{ connectionString, applicationName, max },
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
