import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import { PollingWorker, pause } from '#polling';

import { isAlive } from '../projector/ownership.js';
import {
  sharedContextProjection,
  sharedContextVersion,
} from '../projector/shared-context.projection.js';
import { abortableStore } from '../projector/abortable-store.js';
import { isTransient } from '../projector/transient-failure.js';
import { RebuildLostError } from './copy-events.js';
import { type RebuildJob, RebuildUnderWayError } from './rebuild-job.js';
import {
  type JobFacts,
  claimJob,
  updateJob,
  releaseJobs,
  heartbeatJob,
} from './rebuild-job.lease.js';
import { findJob, wasAbandoned } from './rebuild-job.queries.js';
import { startRebuild } from './rebuild-jobs.js';
import {
  type RebuildScope,
  RebuildCancelledError,
  abandonBuild,
  runRebuild,
} from './run-rebuild.js';

type RunnerEvents = Readonly<{
  started?: (job: RebuildJob) => void;
  ended?: (job: RebuildJob) => void;
  failed?: (error: unknown) => void;
}>;

const pollMs = 1_000;

/**
 * Runs rebuild jobs without a live owner, one at a time. A job of a killed process is resumed. Requests a rebuild by
 * itself if older code wrote the rows.
 */
export class RebuildRunner {
  readonly #worker: PollingWorker;

  constructor(
    private readonly scope: RebuildScope,
    private readonly events: RunnerEvents = {},
  ) {
    this.#worker = new PollingWorker(() => this.#runOnce(), {
      idleMs: pollMs,
      retryMs: { first: pollMs, longest: pollMs },
      failed: events.failed,
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** Resolves when the current batch is done; another process can resume the job at once. */
  async stop(): Promise<void> {
    if (this.#worker.stopping.aborted) return;
    await this.#worker.stop();
    // If the database is unavailable, other processes resume the job when the lease ends.
    await releaseJobs(this.scope.db, this.scope.instance).catch((error: unknown) =>
      this.events.failed?.(error),
    );
  }

  /** Returns undefined even if there was a job, so that the worker pauses before the next one. */
  async #runOnce(): Promise<undefined> {
    await this.#requestUpgrade();
    const job = await claimJob(this.scope.db, this.scope.instance, isAlive);
    if (job) await this.#work(job);
    return undefined;
  }

  async #requestUpgrade(): Promise<void> {
    const { db } = this.scope;
    const { rows } = await sql<{ version: number }>`
      select version from throughline.projections where projection = ${sharedContextProjection}`.execute(
      db,
    );
    if (!rows[0] || rows[0].version >= sharedContextVersion) return;
    if (await wasAbandoned(db, sharedContextProjection, sharedContextVersion)) return;
    const requestedBy = `version ${sharedContextVersion} of the projection`;
    try {
      await startRebuild(db, randomUUID(), {
        projection: sharedContextProjection,
        verify: 'sample',
        requestedBy,
      });
    } catch (error) {
      if (!(error instanceof RebuildUnderWayError)) throw error;
    }
  }

  async #work(job: RebuildJob): Promise<void> {
    this.events.started?.(job);
    const end = new AbortController();
    const watching = this.#watch(job, end);
    const signal = AbortSignal.any([this.#worker.stopping, end.signal]);
    try {
      const store = abortableStore(signal, this.scope.store);
      await runRebuild({ ...this.scope, store }, job, signal);
    } catch (error) {
      await this.#settle(job, end.signal.aborted ? end.signal.reason : error);
    } finally {
      end.abort();
      await watching;
    }
    const ended = await findJob(this.scope.db, job.jobId);
    // If it is still running, this process stops or has lost the job, and another one resumes it.
    if (ended && ended.state !== 'running') this.events.ended?.(ended);
  }

  async #settle(job: RebuildJob, reason: unknown): Promise<void> {
    if (reason instanceof RebuildLostError || this.#worker.stopping.aborted) return;
    if (reason instanceof RebuildCancelledError) return this.#abandon(job, { state: 'cancelled' });
    if (!isTransient(reason)) {
      const detail = reason instanceof Error ? reason.message : String(reason);
      await this.#abandon(job, { state: 'failed', detail });
    }
    // The job is retried by the next process that polls, and resumed.
    throw reason;
  }

  /** Removes the tables of the job, unless another process has taken it over. */
  async #abandon(job: RebuildJob, facts: JobFacts): Promise<void> {
    await this.scope.db.transaction().execute(async (trx) => {
      if (await updateJob(trx, job, facts)) await abandonBuild(trx, job);
    });
  }

  /** Sends heartbeats, and ends the work if the job is cancelled or taken over. */
  async #watch(job: RebuildJob, end: AbortController): Promise<void> {
    const signal = AbortSignal.any([this.#worker.stopping, end.signal]);
    while (!signal.aborted) {
      try {
        await heartbeatJob(this.scope.db, job);
        await pause(pollMs, signal);
        const now = await findJob(this.scope.db, job.jobId);
        if (now?.cancelling) end.abort(new RebuildCancelledError('cancelled'));
        else if (now && now.epoch !== job.epoch) end.abort(new RebuildLostError('taken over'));
      } catch (error) {
        // If the database does not answer, the work itself fails.
        this.events.failed?.(error);
        await pause(pollMs, signal);
      }
    }
  }
}
