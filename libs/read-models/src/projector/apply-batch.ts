import { type Kysely, type Transaction } from 'kysely';

import { type Database } from '#database';
import { type StoredEvent } from '#event-sourcing';

import { type ParkedContext } from './dead-letters.js';
import { partitionOf } from './partition.js';
import { lockPartitions, movePartitions } from './partition-rows.js';
import { type Partitions } from './partitions.js';
import { isRefusedData, projectAlone } from './project-alone.js';
import { type ProjectionRows, projectBatch } from './project-batch.js';

/** Whose work it is, on which rows. */
export type Worker = ProjectionRows & Readonly<{ db: Kysely<Database>; owner: string }>;

export type Applied = Readonly<{ events: number; parked: readonly ParkedContext[] }>;

/**
 * Rows and checkpoint in one transaction; undefined where another process has taken a partition over. A batch that
 * PostgreSQL refuses as a whole is applied context by context, so that only the one at fault is set aside.
 */
export async function applyBatch(
  worker: Worker,
  partitions: Partitions,
  batch: readonly StoredEvent[],
): Promise<Applied | undefined> {
  try {
    const applied = await apply(worker, partitions, batch, projectBatch);
    worker.memory?.commit();
    return applied;
  } catch (error) {
    worker.memory?.clear();
    if (!isRefusedData(error)) throw error;
    return apply(withoutMemory(worker), partitions, batch, projectOneByOne);
  }
}

function withoutMemory({ memory: _, ...worker }: Worker): Worker {
  return worker;
}

async function apply(
  { db, owner, ...rows }: Worker,
  partitions: Partitions,
  batch: readonly StoredEvent[],
  project: (
    trx: Transaction<Database>,
    rows: ProjectionRows,
    batch: readonly StoredEvent[],
  ) => Promise<readonly ParkedContext[]>,
): Promise<Applied | undefined> {
  const last = batch.at(-1);
  const moved = last ? partitions.behind(last.position) : [];
  if (!last || moved.length === 0) return { events: 0, parked: [] };
  const pending = partitions.pending(batch);
  const parked = await db.transaction().execute(async (trx) => {
    if (!(await lockPartitions(trx, rows.projection, owner, moved))) return undefined;
    const set = pending.length > 0 ? await project(trx, rows, pending) : [];
    const counts = Map.groupBy(pending, ({ stream }) => partitionOf(stream));
    await movePartitions(
      trx,
      rows.projection,
      moved.map(({ partition }) => ({ partition, events: counts.get(partition)?.length ?? 0 })),
      last.position,
    );
    return set;
  });
  if (!parked) return undefined;
  partitions.advance(last.position);
  return { events: pending.length, parked };
}

async function projectOneByOne(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  batch: readonly StoredEvent[],
): Promise<readonly ParkedContext[]> {
  const parked: ParkedContext[] = [];
  for (const events of Map.groupBy(batch, ({ stream }) => stream).values())
    parked.push(...(await projectAlone(trx, rows, events)));
  return parked;
}
