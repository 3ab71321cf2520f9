import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type EventStore, openEnvelope } from '#event-sourcing';

import { isAlive } from './ownership.js';
import { asPosition, type CheckpointPosition } from './partition-rows.js';
import { countEvents, earliestOf, mostCounted } from './projection-lag.js';
import { aheadOfLog, isAhead } from './refuse-rows-ahead.js';
import { sharedContextVersion } from './shared-context.projection.js';

/**
 * `idle`: everything is applied and nothing has arrived for a while. `live`: it keeps up. `catching-up`: it is behind
 * and moves. `stuck`: it is behind and does not move, or nobody is there to move it. Each with its reason.
 */
export type ProjectionState = 'idle' | 'catching-up' | 'live' | 'stuck';

export type PartitionStatus = Readonly<{
  partition: number;
  position: string;
  /** Events applied since the rows were made. */
  events: number;
  epoch: number;
  owner: Readonly<{ instance: string; host: string; pid: number }> | null;
  appliedAt: string | null;
  failure: string | null;
}>;

export type ProjectionStatus = Readonly<{
  name: string;
  version: number;
  storeIdentity: string;
  state: ProjectionState;
  reason: string;
  /** Committed events behind; null where they are too many to be counted. */
  lagEvents: number | null;
  /** Age of the oldest event that is not applied; 0 where none is. */
  lagSeconds: number;
  deadLetters: number;
  rebuiltAt: string | null;
  partitions: readonly PartitionStatus[];
}>;

type Stores = Readonly<{ db: Kysely<Database>; store: EventStore }>;

/** Behind by no more than this is keeping up: a batch is on its way. Where there are more, they may be uncounted. */
const keepingUp = mostCounted;
const idleAfterSeconds = 30;
const stuckAfterSeconds = 10;

/** Every projection and where it stands. */
export async function listProjections({ db, store }: Stores): Promise<ProjectionStatus[]> {
  const identity = await store.identity();
  const found = await findRows(db);
  // Read behind the rows: what was applied to them is in it.
  const log = { identity, head: await store.head() };
  const names = new Map(found.map((row) => [row.projection, row] as const));
  return Promise.all(
    [...names.values()].map((row) => {
      const parts = found.filter(({ projection }) => projection === row.projection);
      return statusOf(store, log, row, parts);
    }),
  );
}

type Row = z.output<typeof statusRow>;

const statusRow = z.object({
  projection: z.string(),
  version: z.number(),
  store_identity: z.string(),
  rebuilt_at: z.date().nullable(),
  partition: z.number(),
  position: z.string().nullable(),
  events: z.coerce.number(),
  epoch: z.coerce.number(),
  applied_at: z.date().nullable(),
  failure: z.string().nullable(),
  instance: z.string().nullable(),
  host: z.string().nullable(),
  pid: z.number().nullable(),
  alive: z.boolean(),
  dead_letters: z.number(),
  now: z.date(),
});

/** Rebuilds in progress have rows of their own, under names with a slash. */
async function findRows(db: Kysely<Database>): Promise<Row[]> {
  const { rows } = await sql`
    select p.projection, p.version, p.store_identity, p.rebuilt_at, q.partition, q.position, q.events, q.epoch,
      q.applied_at, q.failure, i.instance, i.host, i.pid, coalesce(i.alive, false) as alive,
      (select count(*)::int from throughline.dead_letters d where d.projection = p.projection) as dead_letters,
      clock_timestamp() as now
    from throughline.projections p
    join throughline.projection_partitions q using (projection)
    left join (select *, ${isAlive} as alive from throughline.projector_instances) i on i.instance = q.owner
    where p.projection not like '%/%'
    order by p.projection, q.partition`.execute(db);
  return rows.map((row) => statusRow.parse(row));
}

type Log = Readonly<{ identity: string; head: CheckpointPosition }>;

async function statusOf(
  store: EventStore,
  { identity, head }: Log,
  projection: Row,
  rows: readonly Row[],
): Promise<ProjectionStatus> {
  const isOfThisLog = projection.store_identity === identity;
  const positions = rows.map(({ position }) => asPosition(position));
  const earliest = earliestOf(store, positions, isOfThisLog);
  const behind = store.comparePositions(earliest, head) < 0;
  const waitingSince = behind ? await oldestBehind(store, earliest) : undefined;
  const lag = {
    ...{ behind, isOfThisLog, isAhead: isOfThisLog && isAhead(store, positions, head) },
    events: (await countEvents(store, earliest, head)) ?? null,
    seconds: waitingSince === undefined ? 0 : secondsBetween(waitingSince, projection.now),
  };
  return {
    name: projection.projection,
    version: projection.version,
    storeIdentity: projection.store_identity,
    ...judge(projection, rows, lag),
    lagEvents: lag.events,
    lagSeconds: lag.seconds,
    deadLetters: projection.dead_letters,
    rebuiltAt: projection.rebuilt_at?.toISOString() ?? null,
    partitions: rows.map(toPartition),
  };
}

type Lag = Readonly<{
  behind: boolean;
  isOfThisLog: boolean;
  isAhead: boolean;
  events: number | null;
  seconds: number;
}>;
type Judgement = Readonly<{ state: ProjectionState; reason: string }>;

function judge({ now, version }: Row, rows: readonly Row[], lag: Lag): Judgement {
  const obstacle = findObstacle(rows, version, lag);
  if (obstacle !== undefined) return { state: 'stuck', reason: obstacle };
  const applied = newest(rows.map(({ applied_at }) => applied_at));
  const quietSeconds = applied ? secondsBetween(applied, now) : Number.POSITIVE_INFINITY;
  if (!lag.behind) return quietSeconds > idleAfterSeconds ? idle(applied) : keepsUp;
  return judgeBehind(lag, quietSeconds);
}

function judgeBehind({ events, seconds }: Lag, quietSeconds: number): Judgement {
  const waits = seconds > stuckAfterSeconds;
  if (waits && quietSeconds > stuckAfterSeconds)
    return { state: 'stuck', reason: 'events wait, and none was applied for a while' };
  if (!waits && events !== null && events <= keepingUp) return keepsUp;
  const amount = events ?? `more than ${mostCounted}`;
  return { state: 'catching-up', reason: `${amount} events behind` };
}

const keepsUp: Judgement = { state: 'live', reason: 'events are applied as they arrive' };

function idle(applied: Date | undefined): Judgement {
  const since = applied ? `since ${applied.toISOString()}` : 'yet';
  return { state: 'idle', reason: `everything is applied, nothing arrived ${since}` };
}

/**
 * What keeps partitions from moving: of nobody having them, whether or not something waits; of a failure, only while
 * something does, since it is gone with the next batch and there may be none.
 */
function findObstacle(rows: readonly Row[], version: number, lag: Lag): string | undefined {
  const mismatch = findMismatch(version, lag);
  if (mismatch !== undefined) return mismatch;
  const unowned = rows.filter(({ alive }) => !alive).map(({ partition }) => partition);
  if (unowned.length === rows.length) return 'no projector is running';
  if (unowned.length > 0) return `no projector has partitions ${unowned.join(', ')}`;
  const failed = lag.behind ? rows.find(({ failure }) => failure !== null) : undefined;
  return failed?.failure ?? undefined;
}

/** Why the rows cannot go on from this log in this process at all. */
function findMismatch(version: number, { isOfThisLog, isAhead }: Lag): string | undefined {
  if (!isOfThisLog)
    return 'the rows follow another event store: connect that one, or rebuild them from this one';
  if (isAhead) return aheadOfLog;
  if (version > sharedContextVersion)
    return `the rows were made by version ${version}, this process has ${sharedContextVersion}: upgrade it`;
  return undefined;
}

async function oldestBehind(
  store: EventStore,
  after: CheckpointPosition,
): Promise<Date | undefined> {
  const [event] = await store.readAll({ after, limit: 1 });
  if (!event) return undefined;
  try {
    return new Date(openEnvelope(event.metadata).recordedAt);
  } catch {
    // An event nobody can read waits too, only nobody knows since when.
    return undefined;
  }
}

function toPartition(row: Row): PartitionStatus {
  const { instance, host, pid, alive } = row;
  return {
    partition: row.partition,
    position: row.position ?? 'start',
    events: row.events,
    epoch: row.epoch,
    owner: alive && instance && host && pid ? { instance, host, pid } : null,
    appliedAt: row.applied_at?.toISOString() ?? null,
    failure: row.failure,
  };
}

function newest(dates: readonly (Date | null)[]): Date | undefined {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 100) / 10);
}
