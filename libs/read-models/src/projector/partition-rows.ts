import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type Position } from '#event-sourcing';

import { allPartitions } from './partition.js';

type Db = Kysely<Database> | Transaction<Database>;

export type CheckpointPosition = Position | 'start';

/** A partition that this process may move on, while nobody has taken it over under a newer epoch. */
export type OwnedPartition = Readonly<{
  partition: number;
  epoch: number;
  position: CheckpointPosition;
}>;

/** The rows belong to another log; their positions mean nothing here. */
export class ForeignCheckpointError extends Error {
  override readonly name = 'ForeignCheckpointError';
}

/** The rows were made by newer code, which this process must not write over. */
export class NewerProjectionError extends Error {
  override readonly name = 'NewerProjectionError';
}

const ownedRow = z.object({
  partition: z.number(),
  epoch: z.coerce.number(),
  position: z.string().nullable(),
});

type Origin = Readonly<{ version: number; identity: string }>;

/** Makes the checkpoints of a projection where they are missing. Those that nothing was applied to follow any log. */
export async function makeCheckpoints(
  db: Db,
  projection: string,
  { version, identity }: Origin,
): Promise<void> {
  await sql`
    with made as (
      insert into throughline.projections (projection, version, store_identity)
      values (${projection}, ${version}, ${identity}) on conflict do nothing returning projection)
    insert into throughline.projection_partitions (projection, partition)
    select made.projection, unnest(${allPartitions}::int[]) from made`.execute(db);
  await sql`
    update throughline.projections p set store_identity = ${identity}
    where p.projection = ${projection} and p.store_identity <> ${identity} and not exists (
      select from throughline.projection_partitions q
      where q.projection = p.projection and q.position is not null)`.execute(db);
}

/** Makes the checkpoints where they are missing; refuses those of another log or of newer code. */
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
      `the read models follow event store ${stored.store_identity}, this is ${identity}: rebuild them or connect the right one`,
    );
  if (stored && stored.version > version)
    throw new NewerProjectionError(
      `the rows of ${projection} were made by version ${stored.version} of the projection, this process has ${version}: upgrade it`,
    );
}

/** Locks the partitions for this transaction; undefined if one of them is not ours, or not where we left it. */
export async function lockPartitions(
  trx: Transaction<Database>,
  projection: string,
  owner: string,
  owned: readonly OwnedPartition[],
): Promise<'locked' | undefined> {
  // Rows and checkpoint are lost together where the database dies, and made again from the log: no need to wait for
  // the disk, which the appends are waiting for. A process that stops half way must not keep its locks for ever; one that
  // is busy must keep them while its fold waits, slice by slice, for dozens of other long pieces of work.
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

/** Moves locked partitions to `position`, having applied so many events of each. */
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

/** Takes every partition of a projection, whoever has it; its former owner's next write is refused. */
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

/** Records why the owner makes no progress, for queries of the projection's status. */
export async function noteFailure(
  db: Db,
  projection: string,
  owner: string,
  failure: string,
): Promise<void> {
  await sql`
    update throughline.projection_partitions set failure = ${failure}
    where projection = ${projection} and owner = ${owner}`.execute(db);
}

/** Which log the rows follow. */
export async function findIdentity(db: Db, projection: string): Promise<string | undefined> {
  const { rows } = await sql<{ store_identity: string }>`
    select store_identity from throughline.projections where projection = ${projection}`.execute(
    db,
  );
  return rows[0]?.store_identity;
}

/** The position every partition has reached. */
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

/** What the table holds was given by the store and is given back to it whole. */
export function asPosition(text: string | null): CheckpointPosition {
  return text === null ? 'start' : (text as Position);
}
