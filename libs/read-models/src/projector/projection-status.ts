import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore, openEnvelope } from '#event-sourcing';

import { asPosition, type CheckpointPosition } from './partition-rows.js';
import { countEvents, earliestOf } from './projection-lag.js';
import { type ProjectionState, judge, secondsBetween } from './projection-state.js';
import { isAhead } from './refuse-rows-ahead.js';
import { type StatusRow, findStatusRows } from './status-rows.js';

type PartitionStatus = Readonly<{
  partition: number;
  position: string;
  /** Events applied since the rows were created. */
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
  /** The number of committed events that are not applied yet; null if there are too many to count. */
  lagEvents: number | null;
  /** The age of the oldest event that is not applied; 0 if there is none. */
  lagSeconds: number;
  deadLetters: number;
  rebuiltAt: string | null;
  partitions: readonly PartitionStatus[];
}>;

type Stores = Readonly<{ db: Kysely<Database>; store: EventStore }>;

/** Every projection with its state. */
export async function listProjections({ db, store }: Stores): Promise<ProjectionStatus[]> {
  const identity = await store.identity();
  const found = await findStatusRows(db);
  // The head is read after the rows, so that it includes every applied event.
  const log = { identity, head: await store.head() };
  const names = new Map(found.map((row) => [row.projection, row] as const));
  return Promise.all(
    [...names.values()].map((row) => {
      const parts = found.filter(({ projection }) => projection === row.projection);
      return statusOf(store, log, row, parts);
    }),
  );
}

type Log = Readonly<{ identity: string; head: CheckpointPosition }>;

async function statusOf(
  store: EventStore,
  { identity, head }: Log,
  projection: StatusRow,
  rows: readonly StatusRow[],
): Promise<ProjectionStatus> {
  const isOfThisLog = projection.store_identity === identity;
  const positions = rows.map(({ position }) => asPosition(position));
  const earliest = earliestOf(store, positions, isOfThisLog);
  const behind = store.comparePositions(earliest, head) < 0;
  const waitingSince = behind ? await oldestBehind(store, earliest) : undefined;
  const lag = {
    behind,
    isOfThisLog,
    isAhead: isOfThisLog && isAhead(store, positions, head),
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

async function oldestBehind(
  store: EventStore,
  after: CheckpointPosition,
): Promise<Date | undefined> {
  const [event] = await store.readAll({ after, limit: 1 });
  if (!event) return undefined;
  try {
    return new Date(openEnvelope(event.metadata).recordedAt);
  } catch {
    // The event cannot be decoded, so that its time is unknown.
    return undefined;
  }
}

function toPartition(row: StatusRow): PartitionStatus {
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
