import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

import { type Database } from '#database';
import { DATABASE, FAILURE_LOG, type FailureLog } from '../tokens.js';
import { AttemptClaims } from './attempt-claims.js';
import { DueRuns } from './due-runs.js';

const maxAtOnce = 50;
const maxDeferred = 10_000;

const lapsedRow = z.object({
  workspace: z.string(),
  context_id: z.string(),
  step_id: z.string(),
  version: z.number(),
  run_id: z.string(),
  visit: z.number(),
  attempt: z.number(),
  agent: z.string(),
});
type LapsedRow = z.output<typeof lapsedRow>;

/**
 * Records attempts as lost whose workers have stopped renewing their leases. A process does so only after it has reached the
 * database for the duration of a lease: after an outage, workers get time to renew their leases first.
 */
@Injectable()
export class LostAttempts {
  /** On the monotonic clock of this process. */
  #reachedSince: number | undefined;
  #reachedLast = 0;
  readonly #deferred = new LRUCache<string, true>({ max: maxDeferred });

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly runs: DueRuns,
    private readonly claims: AttemptClaims,
    @Inject(FAILURE_LOG) private readonly failed: FailureLog,
  ) {}

  /** Records lost attempts. Returns the number of changed runs. */
  async recordLost(): Promise<number> {
    const lapsed = await this.#lapsed();
    await this.claims.removeEnded();
    let changed = 0;
    for (const row of lapsed) if (await this.#tryLose(row)) changed += 1;
    return changed;
  }

  /** Call it if the database could not be reached. */
  interrupt(): void {
    this.#reachedSince = undefined;
  }

  async #lapsed(): Promise<readonly LapsedRow[]> {
    this.#deferred.purgeStale();
    const { rows } = await sql`
      select workspace, context_id, step_id, version, run_id, visit, attempt, agent
      from throughline.run_claims where not ended and lease_until <= clock_timestamp()
      order by lease_until limit ${maxAtOnce + this.#deferred.size}`.execute(this.db);
    const now = performance.now();
    // A process that was suspended in between has not reached the database either.
    if (now - this.#reachedLast > this.claims.leaseMs / 2) this.interrupt();
    this.#reachedLast = now;
    this.#reachedSince ??= now;
    if (now - this.#reachedSince < this.claims.leaseMs) return [];
    return rows
      .map((row) => lapsedRow.parse(row))
      .filter((row) => !this.#deferred.has(nameOf(row)));
  }

  /** Logs a failure, so that an attempt whose run cannot be written does not delay others. */
  async #tryLose(row: LapsedRow): Promise<boolean> {
    try {
      return await this.#lose(row);
    } catch (error) {
      this.failed(error, 'could not store that an attempt of a run was lost');
      this.#defer(row);
      return false;
    }
  }

  /** The run ignores the loss of an attempt that was never started or has ended. */
  async #lose(row: LapsedRow): Promise<boolean> {
    const { workspace, context_id: contextId, step_id: stepId, version } = row;
    const { run_id: runId, visit, attempt } = row;
    // A heartbeat may have arrived since the row was read.
    if (!(await this.claims.hasLapsed(workspace, { contextId, stepId, version }))) return false;
    const usual = await this.runs.usualRecovery(workspace, row.agent);
    const isLost = await this.runs.advance({ workspace, contextId }, (run) =>
      run.runId === runId ? { type: 'lose', stepId, visit, attempt, usual } : undefined,
    );
    // The worker that has claimed the attempt may still start it; only this row would show that it is lost after that.
    if (
      !isLost &&
      (await this.runs.isOpen({ workspace, contextId }, { runId, stepId, visit, attempt }))
    )
      this.#defer(row);
    else await this.claims.removeLapsed(workspace, { contextId, stepId, version });
    return isLost;
  }

  /** Checks an attempt again after the duration of a lease: it may be waiting, or its run may wait for an operator. */
  #defer(row: LapsedRow): void {
    this.#deferred.set(nameOf(row), true, { ttl: this.claims.leaseMs });
  }
}

function nameOf({ workspace, context_id, step_id, version }: LapsedRow): string {
  return JSON.stringify([workspace, context_id, step_id, version]);
}
