import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';

import { sharedContextVersion } from '../projector/shared-context.projection.js';
import { type JobPhase, type JobState, type RebuildJob, jobRow } from './rebuild-job.js';

type Db = Kysely<Database> | Transaction<Database>;

/** The facts that the runner of a job records while it works. */
export type JobFacts = Readonly<{
  state?: JobState;
  phase?: JobPhase;
  schemaVersion?: string;
  total?: number | null;
  compared?: number;
  different?: number;
  detail?: string | null;
}>;

/** Updates the job; undefined if another process has taken it over. */
export async function updateJob(
  db: Db,
  { jobId, epoch }: Pick<RebuildJob, 'jobId' | 'epoch'>,
  facts: JobFacts,
): Promise<RebuildJob | undefined> {
  const { state = null, phase = null, schemaVersion = null, total = null } = facts;
  const { compared = null, different = null, detail = null } = facts;
  const { rows } = await sql`
    update throughline.jobs set
      state = coalesce(${state}, state), phase = coalesce(${phase}, phase),
      schema_version = coalesce(${schemaVersion}, schema_version), total = coalesce(${total}::bigint, total),
      compared = coalesce(${compared}::bigint, compared), different = coalesce(${different}::bigint, different),
      detail = coalesce(${detail}, detail),
      switched_at = case when ${state} = 'switched' then now() else switched_at end,
      ended_at = case when ${state} in ('done', 'cancelled', 'failed') then now() else ended_at end,
      owner = case when ${state} in ('switched', 'done', 'cancelled', 'failed') then null else owner end
    where job_id = ${jobId} and epoch = ${epoch} and ended_at is null returning *`.execute(db);
  return rows.map((row) => jobRow.parse(row))[0];
}

/** Claims for `instance` the oldest job without a live owner that this code is new enough for. */
export async function claimJob(
  db: Db,
  instance: string,
  isAlive: ReturnType<typeof sql>,
): Promise<RebuildJob | undefined> {
  const { rows } = await sql`
    update throughline.jobs set
      owner = ${instance}, epoch = epoch + 1, state = 'running', started_at = coalesce(started_at, now()),
      -- Others may query before its owner sends the first heartbeat.
      seen_at = clock_timestamp()
    where job_id in (
      select job_id from throughline.jobs
      where ended_at is null and switched_at is null and code_version <= ${sharedContextVersion}
        and (owner is null or owner = ${instance} or not coalesce(${isAlive}, false) and owner not in (
          select instance from throughline.projector_instances where ${isAlive}))
      order by created_at limit 1 for update skip locked)
    returning *`.execute(db);
  return rows.map((row) => jobRow.parse(row))[0];
}

/**
 * Records that the job is being worked on. Needed because a process that owns no partitions sends no other heartbeat.
 */
export async function heartbeatJob(db: Db, { jobId, epoch }: RebuildJob): Promise<void> {
  await sql`
    update throughline.jobs set seen_at = clock_timestamp()
    where job_id = ${jobId} and epoch = ${epoch}`.execute(db);
}

export async function releaseJobs(db: Db, instance: string): Promise<void> {
  await sql`update throughline.jobs set owner = null where owner = ${instance}`.execute(db);
}
