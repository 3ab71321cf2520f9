import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

import { type Database } from '#database';
import { DATABASE, FAILURE_LOG, type FailureLog } from '../tokens.js';
import { AttemptClaims } from './attempt-claims.js';
import { DueRuns } from './due-runs.js';

const maxAtOnce = 50;
const maxResting = 10_000;

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
 * Attempts of workers that have stopped renewing their leases. Only a process that has reached the database throughout a whole
 * lease says so: after an outage, workers get the time to renew that they could not.
 */
@Injectable()
export class LostAttempts {
  /** By the monotonic clock of this process. */
  #reachedSince: number | undefined;
  #reachedLast = 0;
  readonly #resting = new LRUCache<string, true>({ max: maxResting });

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly runs: DueRuns,
    private readonly claims: AttemptClaims,
    @Inject(FAILURE_LOG) private readonly failed: FailureLog,
  ) {}

  /** Stores which attempts were lost. Returns the number of runs that this has changed. */
  async find(): Promise<number> {
    const lapsed = await this.#lapsed();
    await this.claims.removeEnded();
    let changed = 0;
    for (const row of lapsed) if (await this.#tryLose(row)) changed += 1;
    return changed;
  }

  /** To be called if the database could not be reached. */
  interrupt(): void {
    this.#reachedSince = undefined;
  }

  async #lapsed(): Promise<readonly LapsedRow[]> {
    this.#resting.purgeStale();
    const { rows } = await sql`
      select workspace, context_id, step_id, version, run_id, visit, attempt, agent
      from throughline.run_claims where not ended and lease_until <= clock_timestamp()
      order by lease_until limit ${maxAtOnce + this.#resting.size}`.execute(this.db);
    const now = performance.now();
    // A process that was stopped in between has not watched either.
    if (now - this.#reachedLast > this.claims.leaseMs / 2) this.interrupt();
    this.#reachedLast = now;
    this.#reachedSince ??= now;
    if (now - this.#reachedSince < this.claims.leaseMs) return [];
    return rows.map((row) => lapsedRow.parse(row)).filter((row) => !this.#resting.has(nameOf(row)));
  }

  /** An attempt whose run cannot be written delays no other one. */
  async #tryLose(row: LapsedRow): Promise<boolean> {
    try {
      return await this.#lose(row);
    } catch (error) {
      this.failed(error, 'could not store that an attempt of a run was lost');
      this.#rest(row);
      return false;
    }
  }

  /** Nothing is lost if the attempt was never started or has ended; the run says so. */
  async #lose(row: LapsedRow): Promise<boolean> {
    const { workspace, context_id: contextId, step_id: stepId, version } = row;
    const { run_id: runId, visit, attempt } = row;
    // A heartbeat may have come since the row was read.
    if (!(await this.claims.hasLapsed(workspace, { contextId, stepId, version }))) return false;
    const usual = await this.runs.usualRecovery(workspace, row.agent);
    const isLost = await this.runs.advance({ workspace, contextId }, (run) =>
      run.runId === runId ? { type: 'lose', stepId, visit, attempt, usual } : undefined,
    );
    // The worker that has claimed the attempt may still start it; if it is lost after that, only this row says so.
    if (
      !isLost &&
      (await this.runs.isOpen({ workspace, contextId }, { runId, stepId, visit, attempt }))
    )
      this.#rest(row);
    else await this.claims.removeLapsed(workspace, { contextId, stepId, version });
    return isLost;
  }

  /** An attempt that waits, or a run that waits for an operator, is checked again after a lease. */
  #rest(row: LapsedRow): void {
    this.#resting.set(nameOf(row), true, { ttl: this.claims.leaseMs });
  }
}

function nameOf({ workspace, context_id, step_id, version }: LapsedRow): string {
  return JSON.stringify([workspace, context_id, step_id, version]);
}
