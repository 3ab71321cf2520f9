import { clusterFilesIn, type ClusterFiles } from './cluster-files.js';
import { ensureDatabase } from './ensure-database.js';
import { databaseName } from './connection-string.js';
import { lockDataDirectory } from './data-directory-lock.js';
import { launchCluster, makeDataDirectory } from './launch-cluster.js';
import { stopOrphanedServer } from './orphaned-server.js';
import { stopPostmaster } from './postmaster-signals.js';
import { type ServerLog } from './server-log.js';
import { type ServerSettings } from './server-settings.js';
import { explainError } from './start-failure.js';
import { SupervisedServer } from './supervised-server.js';

type EmbeddedServerOptions = {
  readonly dataDir: string;
  readonly log: ServerLog;
  readonly settings?: ServerSettings;
};

export type EmbeddedServer = {
  /** Stays the same when the server has to be started again. */
  readonly connectionString: string;
  /** The process of the server that runs now. */
  readonly pid: number;
  /** Called once, with the reason, when the server ended and starting it again was given up. */
  onExit(callback: (reason: Error) => void): void;
  /** Ends sessions, writes a checkpoint, stops the server and gives the data directory free. */
  stop(): Promise<void>;
};

/**
 * Runs the PostgreSQL of a data directory for the life of this process: makes it at first, stops what a killed process
 * left running, recovers what was not shut down, and starts it again when it dies.
 *
 * @throws StartupError, in one sentence: the directory is in use, cannot be written or was made by another version,
 * the disk is full, the server does not start
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const files = clusterFilesIn(options.dataDir);
  try {
    await makeDataDirectory(files);
    const lock = await lockDataDirectory(files);
    return await startLocked(files, options, lock.release).catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
  } catch (error) {
    throw explainError(error, files.dataDirectory);
  }
}

async function startLocked(
  files: ClusterFiles,
  { log, settings = {} }: EmbeddedServerOptions,
  release: () => Promise<void>,
): Promise<EmbeddedServer> {
  await stopOrphanedServer(files, log);
  const cluster = await launchCluster(files.dataDirectory, settings);
  try {
    await ensureDatabase(cluster.connectionString('postgres'), databaseName);
  } catch (error) {
    await stopPostmaster(cluster.process.pid);
    throw error;
  }
  const supervised = new SupervisedServer(cluster, log);
  let stopped: Promise<void> | undefined;
  return {
    connectionString: cluster.connectionString(databaseName),
    get pid() {
      return supervised.pid;
    },
    onExit: (callback) => void supervised.gaveUp.then(callback),
    stop: () => (stopped ??= supervised.stop().then(release)),
  };
}
