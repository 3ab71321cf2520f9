import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';

import { sharedContextVersion } from '../projector/shared-context.projection.js';
import {
  type RebuildJob,
  type RebuildRequest,
  RebuildUnderWayError,
  jobRow,
} from './rebuild-job.js';

type Db = Kysely<Database> | Transaction<Database>;

export async function findJob(db: Db, jobId: string): Promise<RebuildJob | undefined> {
  const { rows } = await sql`select * from throughline.jobs where job_id = ${jobId}`.execute(db);
  return rows.map((row) => jobRow.parse(row))[0];
}

/** Newest first, after position `after`. */
export async function listJobs(
  db: Db,
  limit: number,
  after?: Readonly<{ createdAt: string; jobId: string }>,
): Promise<RebuildJob[]> {
  const created = sql`date_trunc('milliseconds', created_at)`;
  const afterPosition = after
    ? sql`where (${created}, job_id) < (${after.createdAt}::timestamptz, ${after.jobId}::uuid)`
    : sql``;
  const { rows } = await sql`
    select * from throughline.jobs ${afterPosition}
    order by ${created} desc, job_id desc limit ${limit}`.execute(db);
  return rows.map((row) => jobRow.parse(row));
}

/** Throws {@link RebuildUnderWayError} if a rebuild of the projection is not finished. */
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

/** Whether a rebuild for this version of the code failed or was cancelled: then only a person may request another. */
export async function wasAbandoned(
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
