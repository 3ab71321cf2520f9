import { type Kysely, type Transaction } from 'kysely';

import { type Database } from '#database';
import { type StoredEvent } from '#event-sourcing';

import { type DecodedBatch, type ProjectionRows, decodeBatch } from './context-runs.js';
import { type QuarantinedContext } from './dead-letters.js';
import { partitionOf } from './partition.js';
import { lockPartitions, movePartitions } from './partition-rows.js';
import { type Partitions } from './partitions.js';
import { isRefusedData, projectAlone } from './project-alone.js';
import { type ProjectedPart, maxPartBytes, projectBatch } from './project-batch.js';

/** The owner of the partitions, and the rows to write. */
export type Worker = ProjectionRows & Readonly<{ db: Kysely<Database>; owner: string }>;

export type AppliedEvents = Readonly<{
  events: number;
  quarantined: readonly QuarantinedContext[];
}>;

/**
 * Applies a batch in parts of bounded size, each in one transaction with its checkpoint; yields undefined and ends if
 * another process has applied over a partition. If PostgreSQL rejects a part, it is applied context by context, so that
 * only the failing context is quarantined.
 */
export async function* applyParts(
  worker: Worker,
  partitions: Partitions,
  batch: readonly StoredEvent[],
): AsyncGenerator<AppliedEvents | undefined, void> {
  let limit = batch.length;
  for (let from = 0; from < batch.length;) {
    const part = firstEvents(batch, from, limit);
    const applied = await applyPart(worker, partitions, part);
    yield applied;
    if (!applied) return;
    from += applied.processed;
    // Events that did not fit are read again, so that the next part need not be much larger than the last one that
    // fitted.
    limit = 2 * (applied.processed < part.length ? applied.processed : limit);
  }
}

/** {@link applyParts} until the end of the batch; undefined if another process has applied over a partition. */
export async function applyBatch(
  worker: Worker,
  partitions: Partitions,
  batch: readonly StoredEvent[],
): Promise<AppliedEvents | undefined> {
  let events = 0;
  const quarantined: QuarantinedContext[] = [];
  for await (const applied of applyParts(worker, partitions, batch)) {
    if (!applied) return undefined;
    events += applied.events;
    quarantined.push(...applied.quarantined);
  }
  return { events, quarantined };
}

/** At limit `limit` events of a batch, up to the event that makes them reach {@link maxPartBytes}. */
function firstEvents(
  batch: readonly StoredEvent[],
  from: number,
  limit: number,
): readonly StoredEvent[] {
  let [end, bytes] = [from, 0];
  for (; end < Math.min(batch.length, from + limit) && bytes < maxPartBytes; end++)
    bytes += (batch[end]?.data.length ?? 0) + (batch[end]?.metadata.length ?? 0);
  return batch.slice(from, end);
}

/** Applies events that were decoded before the transaction began. */
type Project = (trx: Transaction<Database>, rows: ProjectionRows) => Promise<ProjectedPart>;

type AppliedPart = AppliedEvents & Readonly<{ processed: number }>;

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
  if (!last || locked.length === 0) return { events: 0, quarantined: [], processed: batch.length };
  const pending = partitions.pending(batch);
  const project = await prepare(pending);
  const done = await db.transaction().execute(async (trx) => {
    if (!(await lockPartitions(trx, rows.projection, owner, locked))) return undefined;
    const { applied, quarantined } =
      pending.length > 0 ? await project(trx, rows) : { applied: 0, quarantined: [] };
    const processed = countProcessed(batch, pending, applied);
    const { position } = batch[processed - 1] ?? last;
    const counts = Map.groupBy(pending.slice(0, applied), ({ stream }) => partitionOf(stream));
    const moved = partitions
      .behind(position)
      .map(({ partition }) => ({ partition, events: counts.get(partition)?.length ?? 0 }));
    await movePartitions(trx, rows.projection, moved, position);
    return {
      events: applied,
      quarantined,
      processed,
      position,
    };
  });
  if (!done) return undefined;
  partitions.advance(done.position);
  return done;
}

/**
 * The number of events at the start of the batch that need no further work after `applied` pending events were applied.
 */
function countProcessed(
  batch: readonly StoredEvent[],
  pending: readonly StoredEvent[],
  applied: number,
): number {
  const next = pending[applied];
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

/** Contexts that do not fit into this transaction are applied by the next one. */
async function projectOneByOne(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  pending: readonly StoredEvent[],
  batches: readonly DecodedBatch[],
): Promise<ProjectedPart> {
  const quarantined: QuarantinedContext[] = [];
  let [bytes, end] = [0, pending.length];
  for (const batch of batches) {
    const part =
      bytes < maxPartBytes
        ? await projectAlone(trx, rows, batch)
        : { applied: 0, bytes: 0, quarantined: [] };
    quarantined.push(...part.quarantined);
    bytes += part.bytes;
    const next = batch.events[part.applied];
    if (next) end = Math.min(end, pending.indexOf(next));
  }
  return { applied: end, bytes, quarantined };
}
