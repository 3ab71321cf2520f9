import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';

import { dropTables } from './build-tables.js';
import { type RebuildJob, type RebuildRequest, buildNames } from './rebuild-job.js';
import { noteJob } from './rebuild-job.lease.js';
import { findJob, insertJob } from './rebuild-job.queries.js';
import { lockCheckpoints, switchRows, toOldRows, untilUnlocked } from './switch-tables.js';

/** The job, and how many events its rows hold; all of them from the switch on. */
export type JobProgress = RebuildJob & Readonly<{ applied: number }>;

/** What was asked of a job does not go with the state it is in. */
export class JobStateError extends Error {
  override readonly name = 'JobStateError';
}

type Db = Kysely<Database>;

/** So long readers may keep the tables from being put back. */
const switchLimitMs = 10_000;

/** Queues a rebuild; the old rows of an earlier one are given up. Throws RebuildUnderWayError. */
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
  // Its rows are live and grow on.
  if (job.switchedAt !== null) return { ...job, applied: job.total ?? 0 };
  return { ...job, applied: await countApplied(db, job) };
}

/** How many events the rows hold that a job is making. */
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

/** Before the switch nothing comes of it; after it the old rows are put back. Throws {@link JobStateError}. */
export async function cancelJob(db: Db, jobId: string): Promise<RebuildJob | undefined> {
  const job = await findJob(db, jobId);
  if (!job || job.state === 'cancelled') return job;
  if (job.endedAt !== null)
    throw new JobStateError(`job ${jobId} is ${job.state}: nothing is left to cancel`);
  if (job.state === 'switched')
    return untilUnlocked(AbortSignal.timeout(switchLimitMs), () => switchBack(db, job));
  const { rows } = await sql`
    update throughline.jobs set cancelling = true, state = case when state = 'waiting' then 'cancelled' else state end,
      ended_at = case when state = 'waiting' then now() end
    where job_id = ${jobId} and ended_at is null and switched_at is null returning job_id`.execute(
    db,
  );
  // Otherwise it has switched or ended in between.
  return rows.length > 0 ? findJob(db, jobId) : cancelJob(db, jobId);
}

/** Gives the old rows up. Throws {@link JobStateError}. */
export async function confirmJob(db: Db, jobId: string): Promise<RebuildJob | undefined> {
  const job = await findJob(db, jobId);
  if (!job || job.state === 'done') return job;
  if (job.state !== 'switched')
    throw new JobStateError(
      `job ${jobId} is ${job.state}: only one that has switched can be confirmed`,
    );
  return db.transaction().execute(async (trx) => {
    const done = await noteJob(trx, job, { state: 'done' });
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
    const cancelled = await noteJob(trx, job, { state: 'cancelled' });
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
