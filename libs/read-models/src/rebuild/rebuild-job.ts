import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { sharedContextVersion } from '../projector/shared-context.projection.js';

/**
 * `waiting` for a projector to take it; `running`; `switched`: the new rows are live and the old ones kept until the
 * job is confirmed (`done`) or cancelled, which puts them back; `cancelled`; `failed`.
 */
export type JobState = 'waiting' | 'running' | 'switched' | 'done' | 'cancelled' | 'failed';

export type JobPhase = 'waiting' | 'copying' | 'indexing' | 'comparing' | 'switching' | 'finished';

/** What is compared with the live rows before the switch: some contexts, or every one. */
export type Comparison = 'sample' | 'all';

export type RebuildRequest = Readonly<{
  projection: string;
  /** Events a second at most. */
  rate?: number | undefined;
  verify: Comparison;
  requestedBy: string;
}>;

/** A rebuild as its row says; times are RFC 3339. */
export type RebuildJob = Readonly<{
  jobId: string;
  kind: 'rebuild';
  projection: string;
  state: JobState;
  phase: JobPhase;
  rate: number | null;
  verify: Comparison;
  requestedBy: string;
  cancelling: boolean;
  /** The newest migration when the new tables were made. */
  schemaVersion: string | null;
  /** Events to apply, as counted when it began; where positions do not count null until it has switched. */
  total: number | null;
  /** Contexts compared with the live rows, and how many of them were not the same. */
  compared: number;
  different: number;
  detail: string | null;
  epoch: number;
  createdAt: string;
  startedAt: string | null;
  switchedAt: string | null;
  endedAt: string | null;
}>;

/** Another rebuild of the projection is not finished. */
export class RebuildUnderWayError extends Error {
  override readonly name = 'RebuildUnderWayError';

  constructor(readonly jobId: string) {
    super(`job ${jobId} is rebuilding this projection: wait for it or cancel it`);
  }
}

type Db = Kysely<Database> | Transaction<Database>;

const time = z
  .date()
  .nullable()
  .transform((date) => date?.toISOString() ?? null);

const jobRow = z
  .object({
    job_id: z.string(),
    projection: z.string(),
    state: z.enum(['waiting', 'running', 'switched', 'done', 'cancelled', 'failed']),
    phase: z.enum(['waiting', 'copying', 'indexing', 'comparing', 'switching', 'finished']),
    rate: z.number().nullable(),
    verify: z.enum(['sample', 'all']),
    requested_by: z.string(),
    cancelling: z.boolean(),
    schema_version: z.string().nullable(),
    total: z.coerce.number().nullable(),
    compared: z.coerce.number(),
    different: z.coerce.number(),
    detail: z.string().nullable(),
    epoch: z.coerce.number(),
    created_at: z.date().transform((date) => date.toISOString()),
    started_at: time,
    switched_at: time,
    ended_at: time,
  })
  .transform((row): RebuildJob => ({
    jobId: row.job_id,
    kind: 'rebuild',
    projection: row.projection,
    state: row.state,
    phase: row.phase,
    rate: row.rate,
    verify: row.verify,
    requestedBy: row.requested_by,
    cancelling: row.cancelling,
    schemaVersion: row.schema_version,
    total: row.total,
    compared: row.compared,
    different: row.different,
    detail: row.detail,
    epoch: row.epoch,
    createdAt: row.created_at,
    startedAt: row.started_at,
    switchedAt: row.switched_at,
    endedAt: row.ended_at,
  }));

/** What `projection_partitions` calls the rows that a job makes, and those it has replaced. */
export function buildNames({ jobId, projection }: Pick<RebuildJob, 'jobId' | 'projection'>) {
  const short = jobId.replaceAll('-', '').slice(-12);
  return {
    building: `${projection}/building-${short}`,
    retired: `${projection}/retired-${short}`,
    buildSchema: `throughline_building_${short}`,
    retiredSchema: `throughline_retired_${short}`,
  };
}

export async function findJob(db: Db, jobId: string): Promise<RebuildJob | undefined> {
  const { rows } = await sql`select * from throughline.jobs where job_id = ${jobId}`.execute(db);
  return rows.map((row) => jobRow.parse(row))[0];
}

/** Newest first, behind `after`. */
export async function listJobs(
  db: Db,
  limit: number,
  after?: Readonly<{ createdAt: string; jobId: string }>,
): Promise<RebuildJob[]> {
  const created = sql`date_trunc('milliseconds', created_at)`;
  const behind = after
    ? sql`where (${created}, job_id) < (${after.createdAt}::timestamptz, ${after.jobId}::uuid)`
    : sql``;
  const { rows } = await sql`
    select * from throughline.jobs ${behind}
    order by ${created} desc, job_id desc limit ${limit}`.execute(db);
  return rows.map((row) => jobRow.parse(row));
}

/** Throws {@link RebuildUnderWayError}. */
export async function insertJob(
  db: Db,
  jobId: string,
  { projection, rate, verify, requestedBy }: RebuildRequest,
): Promise<RebuildJob> {
  const { rows } = await sql`
    insert into throughline.jobs (job_id, kind, projection, state, phase, code_version, rate, verify, requested_by)
    values (${jobId}, 'rebuild', ${projection}, 'waiting', 'waiting', ${sharedContextVersion}, ${rate ?? null}, ${verify}, ${requestedBy})
    on conflict do nothing returning *`.execute(db);
  const [job] = rows.map((row) => jobRow.parse(row));
  if (job) return job;
  const active = (await listJobs(db, 50)).find(
    (each) => each.projection === projection && each.endedAt === null && each.switchedAt === null,
  );
  throw new RebuildUnderWayError(active?.jobId ?? 'unknown');
}

/** The facts of a job that its runner states while it works. */
export type JobFacts = Readonly<{
  state?: JobState;
  phase?: JobPhase;
  schemaVersion?: string;
  total?: number | null;
  compared?: number;
  different?: number;
  detail?: string | null;
}>;

/** Changes the job if it is still ours: undefined where another process has taken it over. */
export async function noteJob(
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

/** The oldest job that nobody alive works on and this code is new enough for, for `instance` from now on. */
export async function claimJob(
  db: Db,
  instance: string,
  isAlive: ReturnType<typeof sql>,
): Promise<RebuildJob | undefined> {
  const { rows } = await sql`
    update throughline.jobs set
      owner = ${instance}, epoch = epoch + 1, state = 'running', started_at = coalesce(started_at, now())
    where job_id in (
      select job_id from throughline.jobs
      where ended_at is null and switched_at is null and code_version <= ${sharedContextVersion}
        and (owner is null or owner = ${instance} or not coalesce(${isAlive}, false) and owner not in (
          select instance from throughline.projector_instances where ${isAlive}))
      order by created_at limit 1 for update skip locked)
    returning *`.execute(db);
  return rows.map((row) => jobRow.parse(row))[0];
}

/** Lets others know that the job is being worked on; the process may keep no rows, and so not be heard of otherwise. */
export async function sayAtWork(db: Db, { jobId, epoch }: RebuildJob): Promise<void> {
  await sql`
    update throughline.jobs set seen_at = clock_timestamp()
    where job_id = ${jobId} and epoch = ${epoch}`.execute(db);
}

/** Whether somebody stopped a rebuild for this version of the code, or it failed: asking again is up to a person. */
export async function wasGivenUp(
  db: Db,
  projection: string,
  codeVersion: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from throughline.jobs
    where projection = ${projection} and code_version = ${codeVersion} and state in ('cancelled', 'failed')
    limit 1`.execute(db);
  return rows.length > 0;
}

export async function releaseJobs(db: Db, instance: string): Promise<void> {
  await sql`update throughline.jobs set owner = null where owner = ${instance}`.execute(db);
}
