import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';
import { type Position } from '#event-sourcing';

export type CheckpointPosition = Position | 'start';

/** The checkpoint belongs to another log; its positions mean nothing here. */
export class ForeignCheckpointError extends Error {
  override readonly name = 'ForeignCheckpointError';
}

/** Where a projection stands. */
export async function findCheckpoint(
  db: Kysely<Database> | Transaction<Database>,
  projection: string,
): Promise<CheckpointPosition> {
  const { rows } = await sql<{ position: string | null }>`
    select position from throughline.projection_checkpoints where projection = ${projection}`.execute(
    db,
  );
  return asPosition(rows[0]?.position ?? null);
}

/** Makes the row if it is missing and refuses a checkpoint of another log. */
export async function openCheckpoint(
  db: Kysely<Database>,
  projection: string,
  identity: string,
): Promise<void> {
  await sql`
    insert into throughline.projection_checkpoints (projection, position, store_identity)
    values (${projection}, null, ${identity}) on conflict do nothing`.execute(db);
  const { rows } = await sql<{ store_identity: string }>`
    select store_identity from throughline.projection_checkpoints where projection = ${projection}`.execute(
    db,
  );
  if (rows[0]?.store_identity !== identity)
    throw new ForeignCheckpointError(
      `the read models follow event store ${rows[0]?.store_identity}, this is ${identity}: rebuild them or connect the right one`,
    );
}

/** Locks the checkpoint for this transaction and tells where it stands. */
export async function lockCheckpoint(
  trx: Transaction<Database>,
  projection: string,
): Promise<CheckpointPosition> {
  const { rows } = await sql<{ position: string | null }>`
    select position from throughline.projection_checkpoints where projection = ${projection} for update`.execute(
    trx,
  );
  return asPosition(rows[0]?.position ?? null);
}

export async function moveCheckpoint(
  trx: Transaction<Database>,
  projection: string,
  position: Position,
): Promise<void> {
  await sql`
    update throughline.projection_checkpoints set position = ${position}, updated_at = now()
    where projection = ${projection}`.execute(trx);
}

/** What the table holds was given by the store and is given back to it whole. */
function asPosition(text: string | null): CheckpointPosition {
  return text === null ? 'start' : (text as Position);
}
