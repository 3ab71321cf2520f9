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
  /** Stays the same over restarts of the server. */
  readonly connectionString: string;
  /** The process id of the current server. */
  readonly pid: number;
  /** Called once with the reason when the server has ended and is not restarted any more. */
  onExit(callback: (reason: Error) => void): void;
  /** Ends sessions, writes a checkpoint, stops the server and releases the data directory. */
  stop(): Promise<void>;
};

/**
 * Runs the PostgreSQL of a data directory for the life of this process: creates it if needed, stops a server that a
 * killed process left running, recovers after an unclean shutdown, and restarts the server when it dies.
 *
 * @throws StartupError in one sentence: the directory is in use, not writable or of another version, the disk is full,
 * or the server does not start
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
