import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type Position } from '#event-sourcing';

import { allPartitions } from './partition.js';

type Db = Kysely<Database> | Transaction<Database>;

export type CheckpointPosition = Position | 'start';

/** A partition that this process may advance until another process takes it over with a newer epoch. */
export type OwnedPartition = Readonly<{
  partition: number;
  epoch: number;
  position: CheckpointPosition;
}>;

/** The rows belong to another log, whose positions have no meaning in this one. */
export class ForeignCheckpointError extends Error {
  override readonly name = 'ForeignCheckpointError';
}

/** Newer code wrote the rows, and this process must not overwrite them. */
export class NewerProjectionError extends Error {
  override readonly name = 'NewerProjectionError';
}

const ownedRow = z.object({
  partition: z.number(),
  epoch: z.coerce.number(),
  position: z.string().nullable(),
});

type Origin = Readonly<{ version: number; identity: string }>;

/** Creates missing checkpoints. A projection without applied events is assigned to the current log. */
export async function makeCheckpoints(
  db: Db,
  projection: string,
  { version, identity }: Origin,
): Promise<void> {
  await sql`
    with created as (
      insert into throughline.projections (projection, version, store_identity)
      values (${projection}, ${version}, ${identity}) on conflict do nothing returning projection)
    insert into throughline.projection_partitions (projection, partition)
    select created.projection, unnest(${allPartitions}::int[]) from created`.execute(db);
  await sql`
    update throughline.projections p set store_identity = ${identity}
    where p.projection = ${projection} and p.store_identity <> ${identity} and not exists (
      select from throughline.projection_partitions q
      where q.projection = p.projection and q.position is not null)`.execute(db);
}

/** Creates missing checkpoints. Throws if the rows belong to another log or to newer code. */
export async function openProjection(
  db: Db,
  projection: string,
  { version, identity }: Origin,
): Promise<void> {
  await makeCheckpoints(db, projection, { version, identity });
  const { rows } = await sql<{ version: number; store_identity: string }>`
    select version, store_identity from throughline.projections where projection = ${projection}`.execute(
    db,
  );
  const [stored] = rows;
  if (stored && stored.store_identity !== identity)
    throw new ForeignCheckpointError(
      `the read models follow event store ${stored.store_identity}, but this is ${identity}: rebuild them or connect to the right store`,
    );
  if (stored && stored.version > version)
    throw new NewerProjectionError(
      `the rows of ${projection} were written by version ${stored.version} of the projection, but this process has version ${version}: upgrade it`,
    );
}

/**
 * Locks the partitions for this transaction; undefined if this process does not own one of them, or if its position has
 * changed.
 */
export async function lockPartitions(
  trx: Transaction<Database>,
  projection: string,
  owner: string,
  owned: readonly OwnedPartition[],
): Promise<'locked' | undefined> {
  // Without synchronous commit: if the database crashes, rows and checkpoint are lost together and computed again from
  // the log, and the disk stays free for appends. The idle timeout frees the locks of a process that hangs; it is long
  // because a busy process keeps its locks while its fold pauses many times for other work.
  const { rows } = await sql`
    select set_config('synchronous_commit', 'off', true),
      set_config('idle_in_transaction_session_timeout', '30s', true),
      p.partition, p.epoch, p.position
    from throughline.projection_partitions p
    where p.projection = ${projection} and p.owner = ${owner} and p.partition = any(${owned.map(({ partition }) => partition)})
    order by p.partition for update`.execute(trx);
  const stored = new Map(
    rows.map((row) => ownedRow.parse(row)).map((row) => [row.partition, row] as const),
  );
  const ours = owned.every(({ partition, epoch, position }) => {
    const row = stored.get(partition);
    return row?.epoch === epoch && (row.position ?? 'start') === position;
  });
  return ours ? 'locked' : undefined;
}

/** Moves locked partitions to `position` and adds the applied events of each. */
export async function movePartitions(
  trx: Transaction<Database>,
  projection: string,
  moved: readonly Readonly<{ partition: number; events: number }>[],
  position: Position,
): Promise<void> {
  await sql`
    update throughline.projection_partitions p
    set position = ${position}, events = p.events + m.events, applied_at = now(), failure = null
    from unnest(${moved.map(({ partition }) => partition)}::int[], ${moved.map(({ events }) => events)}::bigint[]) as m(partition, events)
    where p.projection = ${projection} and p.partition = m.partition`.execute(trx);
}

/** Takes every partition of a projection from its owner, whose next write is then refused. */
export async function takePartitions(
  db: Db,
  projection: string,
  owner: string,
): Promise<OwnedPartition[]> {
  const { rows } = await sql`
    update throughline.projection_partitions set owner = ${owner}, epoch = epoch + 1
    where projection = ${projection} returning partition, epoch, position`.execute(db);
  return rows.map(toOwned);
}

/** Records why the owner makes no progress, for the status of the projection. */
export async function recordFailure(
  db: Db,
  projection: string,
  owner: string,
  failure: string,
): Promise<void> {
  await sql`
    update throughline.projection_partitions set failure = ${failure}
    where projection = ${projection} and owner = ${owner}`.execute(db);
}

/** The identity of the log that the rows follow. */
export async function findIdentity(db: Db, projection: string): Promise<string | undefined> {
  const { rows } = await sql<{ store_identity: string }>`
    select store_identity from throughline.projections where projection = ${projection}`.execute(
    db,
  );
  return rows[0]?.store_identity;
}

/** The positions of the partitions. */
export async function findPositions(db: Db, projection: string): Promise<CheckpointPosition[]> {
  const { rows } = await sql<{ position: string | null }>`
    select position from throughline.projection_partitions where projection = ${projection}`.execute(
    db,
  );
  return rows.map(({ position }) => asPosition(position));
}

export function toOwned(row: unknown): OwnedPartition {
  const { partition, epoch, position } = ownedRow.parse(row);
  return { partition, epoch, position: asPosition(position) };
}

/** The cast is safe: the event store returned the stored positions, and they are unchanged. */
export function asPosition(text: string | null): CheckpointPosition {
  return text === null ? 'start' : (text as Position);
}
