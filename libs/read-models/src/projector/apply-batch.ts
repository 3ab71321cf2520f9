import { type Kysely, type Transaction } from 'kysely';

import { type Database } from '#database';
import { type StoredEvent } from '#event-sourcing';

import { type DecodedBatch, type ProjectionRows, decodeBatch } from './context-runs.js';
import { type ParkedContext } from './dead-letters.js';
import { partitionOf } from './partition.js';
import { lockPartitions, movePartitions } from './partition-rows.js';
import { type Partitions } from './partitions.js';
import { isRefusedData, projectAlone } from './project-alone.js';
import { type ProjectedPart, maxPartBytes, projectBatch } from './project-batch.js';

/** Whose work it is, on which rows. */
export type Worker = ProjectionRows & Readonly<{ db: Kysely<Database>; owner: string }>;

export type Applied = Readonly<{ events: number; parked: readonly ParkedContext[] }>;

/**
 * Applies a batch in parts of bounded size, each with its checkpoint in one transaction; the last one yields undefined if
 * another process has taken a partition over. A part that PostgreSQL refuses as a whole is applied context by context, so
 * that only the one at fault is set aside.
 */
export async function* applyParts(
  worker: Worker,
  partitions: Partitions,
  batch: readonly StoredEvent[],
): AsyncGenerator<Applied | undefined, void> {
  let most = batch.length;
  for (let from = 0; from < batch.length;) {
    const part = firstEvents(batch, from, most);
    const applied = await applyPart(worker, partitions, part);
    yield applied;
    if (!applied) return;
    from += applied.passed;
    // What did not fit is read again: there is no need to try with much more than fits.
    most = 2 * (applied.passed < part.length ? applied.passed : most);
  }
}

/** {@link applyParts} at once; undefined if another process has taken a partition over. */
export async function applyBatch(
  worker: Worker,
  partitions: Partitions,
  batch: readonly StoredEvent[],
): Promise<Applied | undefined> {
  let events = 0;
  const parked: ParkedContext[] = [];
  for await (const applied of applyParts(worker, partitions, batch)) {
    if (!applied) return undefined;
    events += applied.events;
    parked.push(...applied.parked);
  }
  return { events, parked };
}

/** At most so many of a batch, up to the one that makes them reach {@link maxPartBytes}. */
function firstEvents(
  batch: readonly StoredEvent[],
  from: number,
  most: number,
): readonly StoredEvent[] {
  let [end, bytes] = [from, 0];
  for (; end < Math.min(batch.length, from + most) && bytes < maxPartBytes; end++)
    bytes += (batch[end]?.data.length ?? 0) + (batch[end]?.metadata.length ?? 0);
  return batch.slice(from, end);
}

/** Applies within a transaction what was prepared before it. */
type Project = (trx: Transaction<Database>, rows: ProjectionRows) => Promise<ProjectedPart>;

type AppliedPart = Applied & Readonly<{ passed: number }>;

async function applyPart(
  worker: Worker,
  partitions: Partitions,
  part: readonly StoredEvent[],
): Promise<AppliedPart | undefined> {
  try {
    return await apply(worker, partitions, part, prepareTogether);
  } catch (error) {
    if (!isRefusedData(error)) throw error;
    return apply(worker, partitions, part, prepareOneByOne);
  }
}

async function apply(
  { db, owner, ...rows }: Worker,
  partitions: Partitions,
  batch: readonly StoredEvent[],
  prepare: (pending: readonly StoredEvent[]) => Promise<Project>,
): Promise<AppliedPart | undefined> {
  const last = batch.at(-1);
  const locked = last ? partitions.behind(last.position) : [];
  if (!last || locked.length === 0) return { events: 0, parked: [], passed: batch.length };
  const pending = partitions.pending(batch);
  const project = await prepare(pending);
  const done = await db.transaction().execute(async (trx) => {
    if (!(await lockPartitions(trx, rows.projection, owner, locked))) return undefined;
    const { taken, parked } =
      pending.length > 0 ? await project(trx, rows) : { taken: 0, parked: [] };
    const passed = passedBy(batch, pending, taken);
    const { position } = batch[passed - 1] ?? last;
    const counts = Map.groupBy(pending.slice(0, taken), ({ stream }) => partitionOf(stream));
    const moved = partitions
      .behind(position)
      .map(({ partition }) => ({ partition, events: counts.get(partition)?.length ?? 0 }));
    await movePartitions(trx, rows.projection, moved, position);
    return {
      events: taken,
      parked,
      passed,
      position,
    };
  });
  if (!done) return undefined;
  partitions.advance(done.position);
  return done;
}

/** How many events of a batch are done with once so many of those pending are applied. */
function passedBy(
  batch: readonly StoredEvent[],
  pending: readonly StoredEvent[],
  taken: number,
): number {
  const next = pending[taken];
  return next ? batch.indexOf(next) : batch.length;
}

async function prepareTogether(pending: readonly StoredEvent[]): Promise<Project> {
  const batch = await decodeBatch(pending);
  return (trx, rows) => projectBatch(trx, rows, batch);
}

async function prepareOneByOne(pending: readonly StoredEvent[]): Promise<Project> {
  const batches: DecodedBatch[] = [];
  for (const events of Map.groupBy(pending, ({ stream }) => stream).values())
    batches.push(await decodeBatch(events));
  return (trx, rows) => projectOneByOne(trx, rows, pending, batches);
}

/** Contexts that come too late for this transaction are applied by the next one. */
async function projectOneByOne(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  pending: readonly StoredEvent[],
  batches: readonly DecodedBatch[],
): Promise<ProjectedPart> {
  const parked: ParkedContext[] = [];
  let [bytes, end] = [0, pending.length];
  for (const batch of batches) {
    const part =
      bytes < maxPartBytes
        ? await projectAlone(trx, rows, batch)
        : { taken: 0, bytes: 0, parked: [] };
    parked.push(...part.parked);
    bytes += part.bytes;
    const next = batch.events[part.taken];
    if (next) end = Math.min(end, pending.indexOf(next));
  }
  return { taken: end, bytes, parked };
}
