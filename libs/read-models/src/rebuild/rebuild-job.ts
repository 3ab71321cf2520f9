import { z } from 'zod';

/**
 * `waiting` for a projector; `running`; `switched`: the new rows are live, and the old ones are retained until the job
 * is confirmed (`done`) or cancelled, which restores them; `cancelled`; `failed`.
 */
export type JobState = 'waiting' | 'running' | 'switched' | 'done' | 'cancelled' | 'failed';

export type JobPhase = 'waiting' | 'copying' | 'indexing' | 'comparing' | 'switching' | 'finished';

/** Which contexts are compared with the live rows before the switch. */
type Comparison = 'sample' | 'all';

export type RebuildRequest = Readonly<{
  projection: string;
  /** Maximum events per second. */
  rate?: number | undefined;
  verify: Comparison;
  requestedBy: string;
}>;

/** The row of a rebuild; times are RFC 3339. */
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
  /** The newest migration at the time when the new tables were created. */
  schemaVersion: string | null;
  /** The number of events to apply, counted at the start; if positions do not count events, null until the switch. */
  total: number | null;
  /** The number of contexts compared with the live rows, and the number of different ones. */
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

const time = z
  .date()
  .nullable()
  .transform((date) => date?.toISOString() ?? null);

export const jobRow = z
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

/**
 * The names of the rows that a job builds and of the rows that it replaces, in `projection_partitions` and as schemas.
 */
export function buildNames({ jobId, projection }: Pick<RebuildJob, 'jobId' | 'projection'>) {
  const short = jobId.replaceAll('-', '').slice(-12);
  return {
    building: `${projection}/building-${short}`,
    retired: `${projection}/retired-${short}`,
    buildSchema: `throughline_building_${short}`,
    retiredSchema: `throughline_retired_${short}`,
  };
}
