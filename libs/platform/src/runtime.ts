import { type KeyObject } from 'node:crypto';

import { type Kysely } from 'kysely';

import { type AuditRecord, type ConflictRecord, ExportSignatures } from '#application';
import { type Database } from '#database';
import { ContextReader, type Projector, announceProjections } from '#read-models';

import { checkLog } from './check-log.js';
import { type Config } from './config.js';
import { type Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { type OpenEventStore } from './open-event-store.js';
import { openProjection } from './projection.js';
import { type Readiness } from './readiness.js';
import { type RootKey, openRootKey } from './root-key.js';
import { findOrMakeSecret } from './server-secrets.js';
import { openStores } from './stores.js';
import { openSummaries } from './summaries.js';

/** Everything a server stands on, opened in order and closed in reverse. */
export type Runtime = Readonly<{
  config: Config;
  log: Logger;
  metrics: Metrics;
  /** Where the database is, with its password. */
  connectionString: string;
  db: Kysely<Database>;
  /** Waits for its statements as long as they take. */
  jobDb: Kysely<Database>;
  store: OpenEventStore;
  reader: ContextReader;
  projector: Projector;
  /** Keeps the read models from here on, rebuilds included; done already unless the projector is external. */
  startProjection: () => void;
  fingerprintKey: KeyObject;
  sessionKey: KeyObject;
  exportSignatures: ExportSignatures;
  rootKey: RootKey;
  audit: (record: AuditRecord) => void;
  conflict: (record: ConflictRecord) => void;
  readiness: () => Promise<Readiness>;
  /** Called once, where the database is gone for good: drain and end. */
  onStorageLost: (callback: (reason: Error) => void) => void;
  /** Call once requests have drained: the projector finishes its batch, then the connections and the database end. */
  close: () => Promise<void>;
}>;

type RuntimeOptions = Readonly<{
  /** False for what runs beside a process that keeps them. */
  keepsReadModels?: boolean;
}>;

/** Opens (and where needed makes, starts and migrates) the storage; the projector starts with it. */
export async function openRuntime(
  config: Config,
  log: Logger,
  { keepsReadModels = true }: RuntimeOptions = {},
): Promise<Runtime> {
  const stores = await openStores(config, log, { appends: keepsReadModels });
  const { connectionString, db, jobDb, store, readiness, onStorageLost } = stores;
  try {
    await checkLog({ db, store, log });
    const metrics = new Metrics();
    const secrets = await openSecrets(db, config);
    const summaries = openSummaries({ ...stores, config, log, metrics });
    const { projector, ...projection } = openProjection({ ...stores, log, metrics, summaries });
    if (keepsReadModels && config.projector === 'internal') projection.start();
    else if (keepsReadModels) await announceProjections({ db, store });
    return {
      config,
      log,
      metrics,
      db,
      jobDb,
      store,
      reader: new ContextReader(db, store),
      projector,
      ...secrets,
      ...recordersIn(log),
      readiness,
      onStorageLost,
      connectionString,
      startProjection: projection.start,
      close: async () => {
        await projection.stop();
        await stores.close();
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

function recordersIn(log: Logger): Pick<Runtime, 'audit' | 'conflict'> {
  return {
    audit: (record) => log.info({ audit: record }, 'recorded'),
    conflict: (record) => log.warn({ conflict: record }, 'version conflict'),
  };
}

async function openSecrets(db: Kysely<Database>, config: Config) {
  const fingerprintKey = await findOrMakeSecret(db, 'fingerprint-key');
  const exportKey = await findOrMakeSecret(db, 'export-key');
  return {
    fingerprintKey,
    sessionKey: await findOrMakeSecret(db, 'session-key'),
    exportSignatures: new ExportSignatures(exportKey, config.trustedExportKeys),
    rootKey: await openRootKey(db, config),
  };
}
