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
  noteJob,
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

const lookMs = 1_000;

/**
 * Takes rebuild jobs that nobody alive works on, one at a time. What a killed process had done stays, and is gone on
 * from. Asks for a rebuild by itself where the rows were made by older code.
 */
export class RebuildRunner {
  readonly #worker: PollingWorker;

  constructor(
    private readonly site: RebuildScope,
    private readonly events: RunnerEvents = {},
  ) {
    this.#worker = new PollingWorker(() => this.#look(), {
      idleMs: lookMs,
      retryMs: { first: lookMs, longest: lookMs },
      failed: events.failed,
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** Resolves when the batch in hand is done; another process goes on with the job at once. */
  async stop(): Promise<void> {
    if (this.#worker.stopping.aborted) return;
    await this.#worker.stop();
    // If the database is gone, others go on with the job when the lease ends.
    await releaseJobs(this.site.db, this.site.instance).catch((error: unknown) =>
      this.events.failed?.(error),
    );
  }

  /** Even if there was a job, the next one is looked for after a pause. */
  async #look(): Promise<undefined> {
    await this.#renewOldRows();
    const job = await claimJob(this.site.db, this.site.instance, isAlive);
    if (job) await this.#work(job);
    return undefined;
  }

  async #renewOldRows(): Promise<void> {
    const { db } = this.site;
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
      const store = abortableStore(signal, this.site.store);
      await runRebuild({ ...this.site, store }, job, signal);
    } catch (error) {
      await this.#settle(job, end.signal.aborted ? end.signal.reason : error);
    } finally {
      end.abort();
      await watching;
    }
    const ended = await findJob(this.site.db, job.jobId);
    // Still running where this process stops, or has lost it: others go on.
    if (ended && ended.state !== 'running') this.events.ended?.(ended);
  }

  async #settle(job: RebuildJob, reason: unknown): Promise<void> {
    if (reason instanceof RebuildLostError || this.#worker.stopping.aborted) return;
    if (reason instanceof RebuildCancelledError) return this.#giveUp(job, { state: 'cancelled' });
    if (!isTransient(reason)) {
      const detail = reason instanceof Error ? reason.message : String(reason);
      await this.#giveUp(job, { state: 'failed', detail });
    }
    // Otherwise it is tried again by whoever looks next, from where it was.
    throw reason;
  }

  /** What the job has made goes with it, unless it is somebody else's by now. */
  async #giveUp(job: RebuildJob, facts: JobFacts): Promise<void> {
    await this.site.db.transaction().execute(async (trx) => {
      if (await noteJob(trx, job, facts)) await abandonBuild(trx, job);
    });
  }

  /** Says that it is worked on, and ends the work where somebody cancels it or another process has it. */
  async #watch(job: RebuildJob, end: AbortController): Promise<void> {
    const signal = AbortSignal.any([this.#worker.stopping, end.signal]);
    while (!signal.aborted) {
      try {
        await heartbeatJob(this.site.db, job);
        await pause(lookMs, signal);
        const now = await findJob(this.site.db, job.jobId);
        if (now?.cancelling) end.abort(new RebuildCancelledError('cancelled'));
        else if (now && now.epoch !== job.epoch) end.abort(new RebuildLostError('taken over'));
      } catch (error) {
        // A database that does not answer ends the work itself.
        this.events.failed?.(error);
        await pause(lookMs, signal);
      }
    }
  }
}
