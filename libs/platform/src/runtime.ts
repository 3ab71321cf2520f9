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
import { findOrCreateSecret } from './server-secrets.js';
import { openStores } from './stores.js';
import { openSummaries } from './summaries.js';

/** The parts of a server that are opened in order and closed in reverse. */
export type Runtime = Readonly<{
  config: Config;
  log: Logger;
  metrics: Metrics;
  /** The URL of the database, with its password. */
  connectionString: string;
  db: Kysely<Database>;
  /** Has no statement timeout. */
  jobDb: Kysely<Database>;
  store: OpenEventStore;
  reader: ContextReader;
  projector: Projector;
  /** Starts to update the read models, including rebuilds; already started unless the projector is external. */
  startProjection: () => void;
  fingerprintKey: KeyObject;
  sessionKey: KeyObject;
  exportSignatures: ExportSignatures;
  rootKey: RootKey;
  audit: (record: AuditRecord) => void;
  conflict: (record: ConflictRecord) => void;
  readiness: () => Promise<Readiness>;
  /** The callback is called once if the database is lost permanently: drain requests and end. */
  onStorageLost: (callback: (reason: Error) => void) => void;
  /** Call it after requests have drained: the projector finishes its batch, then the connections and the database are closed. */
  close: () => Promise<void>;
}>;

type RuntimeOptions = Readonly<{
  /** False for a worker, whose parent process updates the read models. */
  updatesReadModels?: boolean;
}>;

/** Opens the storage, and if needed creates, starts and migrates it; starts the projector unless it is external. */
export async function openRuntime(
  config: Config,
  log: Logger,
  { updatesReadModels = true }: RuntimeOptions = {},
): Promise<Runtime> {
  const stores = await openStores(config, log, { appends: updatesReadModels });
  const { connectionString, db, jobDb, store, readiness, onStorageLost } = stores;
  try {
    await checkLog({ db, store, log });
    const metrics = new Metrics();
    const secrets = await openSecrets(db, config);
    const summaries = openSummaries({ ...stores, config, log, metrics });
    const { projector, ...projection } = openProjection({ ...stores, log, metrics, summaries });
    if (updatesReadModels && config.projector === 'internal') projection.start();
    else if (updatesReadModels) await announceProjections({ db, store });
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
      ...logRecorders(log),
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

function logRecorders(log: Logger): Pick<Runtime, 'audit' | 'conflict'> {
  return {
    audit: (record) => log.info({ audit: record }, 'recorded'),
    conflict: (record) => log.warn({ conflict: record }, 'version conflict'),
  };
}

async function openSecrets(db: Kysely<Database>, config: Config) {
  const fingerprintKey = await findOrCreateSecret(db, 'fingerprint-key');
  const exportKey = await findOrCreateSecret(db, 'export-key');
  return {
    fingerprintKey,
    sessionKey: await findOrCreateSecret(db, 'session-key'),
    exportSignatures: new ExportSignatures(exportKey, config.trustedExportKeys),
    rootKey: await openRootKey(db, config),
  };
}
