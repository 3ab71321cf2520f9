import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';

import { allPartitions } from '../projector/partition.js';
import {
  type CheckpointPosition,
  findIdentity,
  findPositions,
  takePartitions,
} from '../projector/partition-rows.js';
import { countEvents } from '../projector/projection-lag.js';
import { sharedContextVersion } from '../projector/shared-context.projection.js';
import { tablesIn } from '../tables.js';
import { createBuildTables, createIndexes, dropTables } from './build-tables.js';
import { compareAll, compareSample } from './compare-rows.js';
import { EventCopy, RebuildLostError } from './copy-events.js';
import { type RebuildJob, buildNames } from './rebuild-job.js';
import { type JobFacts, updateJob } from './rebuild-job.lease.js';
import { countApplied } from './rebuild-jobs.js';
import { lockCheckpoints, switchRows, toNewRows, untilUnlocked } from './switch-tables.js';

/** The job was cancelled. */
export class RebuildCancelledError extends Error {
  override readonly name = 'RebuildCancelledError';
}

/** The stores and the process that a rebuild runs in. Statements on `db` have no time limit. */
export type RebuildScope = Readonly<{ db: Kysely<Database>; store: EventStore; instance: string }>;

/** The maximum number of events that the switch applies under its locks. */
const maxRemaining = 500;
const maxRounds = 20;

/**
 * Builds the rows of a projection next to the live ones and then replaces the live ones. Resumes an earlier attempt.
 * Throws {@link RebuildLostError}, or the signal's reason.
 */
export async function runRebuild(
  scope: RebuildScope,
  job: RebuildJob,
  signal: AbortSignal,
): Promise<void> {
  const copy = await openBuild(scope, job);
  await update(scope, job, { phase: 'copying', total: await countLog(scope) });
  await copy.copyTo(await scope.store.head(), signal);
  await update(scope, job, { phase: 'indexing' });
  await createIndexes(scope.db, buildNames(job).buildSchema, signal);
  signal.throwIfAborted();
  await catchUp(scope, copy, signal);
  await update(scope, job, { phase: 'comparing' });
  await compare(scope, job, signal);
  await update(scope, job, { phase: 'switching' });
  await untilUnlocked(signal, async () => {
    await catchUp(scope, copy, signal);
    await switchOver(scope, job, copy, signal);
  });
}

/** Removes everything that a rebuild has created. */
export async function abandonBuild(db: Kysely<Database>, job: RebuildJob): Promise<void> {
  const { building, buildSchema } = buildNames(job);
  await dropTables(db, buildSchema);
  await sql`delete from throughline.dead_letters where projection = ${building}`.execute(db);
  await sql`delete from throughline.projections where projection = ${building}`.execute(db);
}

/**
 * Opens the tables of the job, partly filled or empty; creates them again if they belong to another schema, older code
 * or another log.
 */
async function openBuild(scope: RebuildScope, job: RebuildJob): Promise<EventCopy> {
  const { db, store, instance } = scope;
  const { building, buildSchema } = buildNames(job);
  const schemaVersion = await newestMigration(db);
  const identity = await store.identity();
  // The job is updated first: a process that was suspended while another took over must not touch its tables.
  const partitions = await db.transaction().execute(async (trx) => {
    await updateIn(trx, job, { schemaVersion });
    if (job.schemaVersion !== schemaVersion || !(await isCurrentBuild(trx, building, identity))) {
      await abandonBuild(trx, job);
      await createBuildTables(trx, buildSchema);
      await sql`
        insert into throughline.projections (projection, version, store_identity)
        values (${building}, ${sharedContextVersion}, ${identity})`.execute(trx);
      await sql`
        insert into throughline.projection_partitions (projection, partition)
        select ${building}, unnest(${allPartitions}::int[])`.execute(trx);
    }
    return takePartitions(trx, building, instance);
  });
  const tables = tablesIn(buildSchema);
  const worker = { db, owner: instance, projection: building, tables, store };
  return new EventCopy(worker, store, partitions, job.rate);
}

/** Whether the tables belong to this code and to the current log. */
async function isCurrentBuild(
  db: Kysely<Database>,
  building: string,
  identity: string,
): Promise<boolean> {
  const { rows } = await sql<{ version: number; store_identity: string }>`
    select version, store_identity from throughline.projections where projection = ${building}`.execute(
    db,
  );
  const [built] = rows;
  return built?.version === sharedContextVersion && built.store_identity === identity;
}

async function newestMigration(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select max(name) as name from throughline.migrations`.execute(db);
  return rows[0]?.name ?? 'none';
}

async function countLog({ store }: RebuildScope): Promise<number | null> {
  return store.countBetween('start', await store.head()) ?? null;
}

/** Copies until few enough events remain for the switch. */
async function catchUp(
  { store }: RebuildScope,
  copy: EventCopy,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const head = await store.head();
    const remaining = await countEvents(store, copy.position(), head);
    await copy.copyTo(head, signal);
    if (remaining !== undefined && remaining <= maxRemaining) return;
  }
}

async function compare(scope: RebuildScope, job: RebuildJob, signal: AbortSignal): Promise<void> {
  const tables = tablesIn(buildNames(job).buildSchema);
  const comparisons =
    job.verify === 'all' ? compareAll(scope.db, tables) : [await compareSample(scope.db, tables)];
  let [compared, different] = [0, 0];
  let detail: string | null = null;
  for await (const part of comparisons) {
    signal.throwIfAborted();
    compared += part.compared;
    different += part.different.length;
    const [first] = part.different;
    if (first) detail ??= `the first context that differs is ${first.workspace}/${first.contextId}`;
    await update(scope, job, { compared, different, detail });
  }
}

/** Stops the live projection, applies the last events, and lets it continue with the new rows. */
async function switchOver(
  { db, store }: RebuildScope,
  job: RebuildJob,
  copy: EventCopy,
  signal: AbortSignal,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // A cancel request from here on waits for the switch, and then reverts it.
    const { cancelling, total } = await updateIn(trx, job, {});
    if (cancelling) throw new RebuildCancelledError('cancelled');
    await lockCheckpoints(trx, job.projection);
    await copy.copyTo(await findTarget(trx, store, job), signal);
    // If positions do not count events, the total is known only now.
    const facts = { total: total ?? (await countApplied(trx, job)) };
    await switchRows(trx, toNewRows(job, sharedContextVersion));
    await updateIn(trx, job, { ...facts, state: 'switched', phase: 'finished' });
  });
}

/** The position of the live rows, at most the head; the head if the rows follow another log. */
async function findTarget(
  trx: Transaction<Database>,
  store: EventStore,
  { projection }: RebuildJob,
): Promise<CheckpointPosition> {
  const positions = await findPositions(trx, projection);
  const head = await store.head();
  if ((await findIdentity(trx, projection)) !== (await store.identity())) return head;
  const [last = 'start'] = positions.toSorted((a, b) => store.comparePositions(b, a));
  return store.comparePositions(last, head) > 0 ? head : last;
}

async function update(scope: RebuildScope, job: RebuildJob, facts: JobFacts): Promise<void> {
  await updateIn(scope.db, job, facts);
}

async function updateIn(
  db: Parameters<typeof updateJob>[0],
  job: RebuildJob,
  facts: JobFacts,
): Promise<RebuildJob> {
  const updated = await updateJob(db, job, facts);
  if (!updated) throw new RebuildLostError(`another process has taken job ${job.jobId} over`);
  return updated;
}
