import { setTimeout as delay } from 'node:timers/promises';

import { DatabaseStartError, StorageFullError } from '../errors.js';
import { type LaunchedCluster } from './launch-cluster.js';
import { type PostgresProcess } from './postgres-process.js';
import { stopPostmaster } from './postmaster-signals.js';
import { createRestartPolicy } from './restart-policy.js';
import { type ServerLog } from './server-log.js';

const fullDiskRetryMs = 5_000;

/** A server that is restarted whenever it ends by itself, unless that happens too often. */
export class SupervisedServer {
  /** Resolves with the reason if the server is not restarted any more; otherwise never. */
  readonly gaveUp: Promise<Error>;
  readonly #cluster: LaunchedCluster;
  readonly #log: ServerLog;
  readonly #policy = createRestartPolicy();
  readonly #stopping = new AbortController();
  readonly #watched: Promise<Error | undefined>;
  #server: PostgresProcess;

  constructor(cluster: LaunchedCluster, log: ServerLog) {
    this.#cluster = cluster;
    this.#log = log;
    this.#server = cluster.process;
    this.#watched = this.#watch();
    this.gaveUp = new Promise((resolve) => {
      void this.#watched.then((reason) => reason && resolve(reason));
    });
  }

  get pid(): number {
    return this.#server.pid;
  }

  /** Also ends a start in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await stopPostmaster(this.#server.pid);
    await this.#watched;
  }

  /** The reason for giving up; undefined if the server was stopped. */
  async #watch(): Promise<Error | undefined> {
    let failure: Error | undefined;
    do {
      await this.#server.exited;
      failure = await this.#startAgain();
    } while (failure === undefined && !this.#stopping.signal.aborted);
    return this.#stopping.signal.aborted ? undefined : failure;
  }

  async #startAgain(): Promise<Error | undefined> {
    let failure: Error = new DatabaseStartError(
      'The database server keeps ending by itself: see postgres.log in the data directory.',
    );
    while (!this.#stopping.signal.aborted) {
      // Space may be freed at any time, and an attempt costs little.
      const isFull = failure instanceof StorageFullError;
      const wait = isFull ? fullDiskRetryMs : this.#policy.next(performance.now());
      if (wait === undefined) return failure;
      this.#log.warn(`the database server ended by itself; starting it again in ${wait} ms`);
      await delay(wait, undefined, { signal: this.#stopping.signal }).catch(() => {});
      const problem = await this.#attempt();
      if (problem === undefined) return undefined;
      failure = problem;
    }
    return undefined;
  }

  async #attempt(): Promise<Error | undefined> {
    if (this.#stopping.signal.aborted) return undefined;
    try {
      this.#server = await this.#cluster.relaunch();
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      this.#log.warn(problem.message);
      return problem;
    }
    this.#log.info(`the database server runs again (process ${this.#server.pid})`);
    // If it was stopped in the meantime, there was no process to stop then.
    if (this.#stopping.signal.aborted) await stopPostmaster(this.#server.pid);
    return undefined;
  }
}
