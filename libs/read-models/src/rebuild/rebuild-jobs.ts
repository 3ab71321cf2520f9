import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';

import { dropTables } from './build-tables.js';
import { type RebuildJob, type RebuildRequest, buildNames } from './rebuild-job.js';
import { updateJob } from './rebuild-job.lease.js';
import { findJob, insertJob } from './rebuild-job.queries.js';
import { lockCheckpoints, switchRows, toOldRows, untilUnlocked } from './switch-tables.js';

/** The job and the number of events in its rows; after the switch, its total. */
export type JobProgress = RebuildJob & Readonly<{ applied: number }>;

/** The job is in a state that does not allow the request. */
export class JobStateError extends Error {
  override readonly name = 'JobStateError';
}

type Db = Kysely<Database>;

/** How long cancelling may wait for readers before it gives up switching back. */
const switchLimitMs = 10_000;

/** Queues a rebuild and confirms an earlier one, which drops its old rows. Throws RebuildUnderWayError. */
export async function startRebuild(
  db: Db,
  jobId: string,
  request: RebuildRequest,
): Promise<RebuildJob> {
  const job = await insertJob(db, jobId, request);
  const { rows } = await sql<{ job_id: string }>`
    select job_id from throughline.jobs
    where projection = ${request.projection} and switched_at is not null and ended_at is null`.execute(
    db,
  );
  for (const { job_id } of rows) await confirmJob(db, job_id);
  return job;
}

export async function findProgress(db: Db, jobId: string): Promise<JobProgress | undefined> {
  const job = await findJob(db, jobId);
  if (!job) return undefined;
  // After the switch the rows are live and continue to grow.
  if (job.switchedAt !== null) return { ...job, applied: job.total ?? 0 };
  return { ...job, applied: await countApplied(db, job) };
}

/** The number of events in the rows that a job builds. */
export async function countApplied(
  db: Db | Transaction<Database>,
  job: Pick<RebuildJob, 'jobId' | 'projection'>,
): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    select coalesce(sum(events), 0)::float8 as events
    from throughline.projection_partitions where projection = ${buildNames(job).building}`.execute(
    db,
  );
  return rows[0]?.events ?? 0;
}

/** Before the switch, ends the rebuild; after it, restores the old rows. Throws {@link JobStateError}. */
export async function cancelJob(db: Db, jobId: string): Promise<RebuildJob | undefined> {
  const job = await findJob(db, jobId);
  if (!job || job.state === 'cancelled') return job;
  if (job.endedAt !== null)
    throw new JobStateError(`job ${jobId} is ${job.state} and cannot be cancelled`);
  if (job.state === 'switched')
    return untilUnlocked(AbortSignal.timeout(switchLimitMs), () => switchBack(db, job));
  const { rows } = await sql`
    update throughline.jobs set cancelling = true, state = case when state = 'waiting' then 'cancelled' else state end,
      ended_at = case when state = 'waiting' then now() end
    where job_id = ${jobId} and ended_at is null and switched_at is null returning job_id`.execute(
    db,
  );
  // If no row was updated, the job has switched or ended in between.
  return rows.length > 0 ? findJob(db, jobId) : cancelJob(db, jobId);
}

/** Drops the old rows. Throws {@link JobStateError}. */
export async function confirmJob(db: Db, jobId: string): Promise<RebuildJob | undefined> {
  const job = await findJob(db, jobId);
  if (!job || job.state === 'done') return job;
  if (job.state !== 'switched')
    throw new JobStateError(`job ${jobId} is ${job.state}: only a switched job can be confirmed`);
  return db.transaction().execute(async (trx) => {
    const done = await updateJob(trx, job, { state: 'done' });
    if (!done) return findJob(trx, jobId);
    const { retired, retiredSchema } = buildNames(job);
    await dropTables(trx, retiredSchema);
    await sql`delete from throughline.dead_letters where projection = ${retired}`.execute(trx);
    await sql`delete from throughline.projections where projection = ${retired}`.execute(trx);
    return done;
  });
}

async function switchBack(db: Db, job: RebuildJob): Promise<RebuildJob | undefined> {
  return db.transaction().execute(async (trx) => {
    const cancelled = await updateJob(trx, job, { state: 'cancelled' });
    if (!cancelled) return findJob(trx, job.jobId);
    await lockCheckpoints(trx, job.projection);
    await switchRows(trx, await toOldRows(trx, job));
    const { building, buildSchema } = buildNames(job);
    await dropTables(trx, buildSchema);
    await sql`delete from throughline.dead_letters where projection = ${building}`.execute(trx);
    await sql`delete from throughline.projections where projection = ${building}`.execute(trx);
    return cancelled;
  });
}
