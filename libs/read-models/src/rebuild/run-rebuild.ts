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
import { type JobFacts, noteJob } from './rebuild-job.lease.js';
import { countApplied } from './rebuild-jobs.js';
import { lockCheckpoints, switchRows, toNewRows, untilUnlocked } from './switch-tables.js';

/** A person has asked for the job to end. */
export class RebuildCancelledError extends Error {
  override readonly name = 'RebuildCancelledError';
}

/** Where a rebuild works, and for whom. `db` waits for its statements as long as they take. */
export type RebuildScope = Readonly<{ db: Kysely<Database>; store: EventStore; instance: string }>;

/** The switch waits for the rest of the log under locks: no more than this is left to that moment. */
const shortRest = 500;
const maxRounds = 20;

/**
 * Makes the rows of a projection anew beside the live ones and puts them in their place. Resumes where an earlier
 * attempt left off. Throws {@link RebuildLostError}, or the signal's reason.
 */
export async function runRebuild(
  site: RebuildScope,
  job: RebuildJob,
  signal: AbortSignal,
): Promise<void> {
  const copy = await openBuild(site, job);
  await note(site, job, { phase: 'copying', total: await countLog(site) });
  await copy.copyTo(await site.store.head(), signal);
  await note(site, job, { phase: 'indexing' });
  await createIndexes(site.db, buildNames(job).buildSchema, signal);
  signal.throwIfAborted();
  await catchUp(site, copy, signal);
  await note(site, job, { phase: 'comparing' });
  await compare(site, job, signal);
  await note(site, job, { phase: 'switching' });
  await untilUnlocked(signal, async () => {
    await catchUp(site, copy, signal);
    await switchOver(site, job, copy, signal);
  });
}

/** Nothing that a rebuild has made is left. */
export async function abandonBuild(db: Kysely<Database>, job: RebuildJob): Promise<void> {
  const { building, buildSchema } = buildNames(job);
  await dropTables(db, buildSchema);
  await sql`delete from throughline.dead_letters where projection = ${building}`.execute(db);
  await sql`delete from throughline.projections where projection = ${building}`.execute(db);
}

/** The tables of the job as far as they are filled; made anew where they are of another schema, older code or another log. */
async function openBuild(site: RebuildScope, job: RebuildJob): Promise<EventCopy> {
  const { db, store, instance } = site;
  const { building, buildSchema } = buildNames(job);
  const schemaVersion = await newestMigration(db);
  const identity = await store.identity();
  // The job first, always: who slept while another took it over must not touch what that one has made.
  const partitions = await db.transaction().execute(async (trx) => {
    await noteIn(trx, job, { schemaVersion });
    if (job.schemaVersion !== schemaVersion || !(await isOurs(trx, building, identity))) {
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

/** Of this code, and of the log that is followed now. */
async function isOurs(db: Kysely<Database>, building: string, identity: string): Promise<boolean> {
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

/** Until so little is left that the switch can take it with it. */
async function catchUp(
  { store }: RebuildScope,
  copy: EventCopy,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const head = await store.head();
    const left = await countEvents(store, copy.reached(), head);
    await copy.copyTo(head, signal);
    if (left !== undefined && left <= shortRest) return;
  }
}

async function compare(site: RebuildScope, job: RebuildJob, signal: AbortSignal): Promise<void> {
  const tables = tablesIn(buildNames(job).buildSchema);
  const comparisons =
    job.verify === 'all' ? compareAll(site.db, tables) : [await compareSample(site.db, tables)];
  let [compared, different] = [0, 0];
  let detail: string | null = null;
  for await (const part of comparisons) {
    signal.throwIfAborted();
    compared += part.compared;
    different += part.different.length;
    const [first] = part.different;
    if (first) detail ??= `the first that differs is ${first.workspace}/${first.contextId}`;
    await note(site, job, { compared, different, detail });
  }
}

/** The live projection stands still while the last events are applied, and goes on with the new rows. */
async function switchOver(
  { db, store }: RebuildScope,
  job: RebuildJob,
  copy: EventCopy,
  signal: AbortSignal,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Whoever cancels from here on waits for the switch, and takes it back.
    const { cancelling, total } = await noteIn(trx, job, {});
    if (cancelling) throw new RebuildCancelledError('cancelled');
    await lockCheckpoints(trx, job.projection);
    await copy.copyTo(await furthest(trx, store, job), signal);
    // Where positions do not count, what there was to apply is known by now.
    const facts = { total: total ?? (await countApplied(trx, job)) };
    await switchRows(trx, toNewRows(job, sharedContextVersion));
    await noteIn(trx, job, { ...facts, state: 'switched', phase: 'finished' });
  });
}

/** Where the live rows stand in this log: nowhere, where they are of another, and no further than its end. */
async function furthest(
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

async function note(site: RebuildScope, job: RebuildJob, facts: JobFacts): Promise<void> {
  await noteIn(site.db, job, facts);
}

async function noteIn(
  db: Parameters<typeof noteJob>[0],
  job: RebuildJob,
  facts: JobFacts,
): Promise<RebuildJob> {
  const noted = await noteJob(db, job, facts);
  if (!noted) throw new RebuildLostError(`another process has taken job ${job.jobId} over`);
  return noted;
}
