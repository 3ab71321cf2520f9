import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database, DatabaseUnavailableError } from '#database';

import { liveTables, tablesIn } from '../tables.js';
import { lockLiveTables, swapTables } from './build-tables.js';
import { type RebuildJob, buildNames } from './rebuild-job.js';

/** The rows that replace others, by the names of their checkpoints and schemas. */
type Swap = Readonly<{
  projection: string;
  incoming: Readonly<{ name: string; schema: string }>;
  outgoing: Readonly<{ name: string; schema: string }>;
  /** The version of the incoming rows. */
  version: number;
}>;

/** The maximum wait for readers that hold the tables, since other statements wait for the lock. */
const lockTimeout = '200ms';

/** Swaps rows, checkpoints and quarantined contexts in this transaction. Projectors must reclaim their partitions. */
export async function switchRows(trx: Transaction<Database>, swap: Swap): Promise<void> {
  await sql`select set_config('lock_timeout', ${lockTimeout}, true)`.execute(trx);
  await lockLiveTables(trx);
  await copyUnprojected(trx, swap.incoming.schema);
  await swapTables(trx, { replacement: swap.incoming.schema, retired: swap.outgoing.schema });
  await swapCheckpoints(trx, swap);
}

export function toNewRows(job: RebuildJob, version: number): Swap {
  const { building, buildSchema, retired, retiredSchema } = buildNames(job);
  return {
    projection: job.projection,
    incoming: { name: building, schema: buildSchema },
    outgoing: { name: retired, schema: retiredSchema },
    version,
  };
}

/**
 * The swap that restores the rows from before the switch, at their old positions; the discarded rows get the name
 * `building`.
 */
export async function toOldRows(
  db: Kysely<Database> | Transaction<Database>,
  job: RebuildJob,
): Promise<Swap> {
  const { building, buildSchema, retired, retiredSchema } = buildNames(job);
  const { rows } = await sql<{ version: number }>`
    select version from throughline.projections where projection = ${retired}`.execute(db);
  return {
    projection: job.projection,
    incoming: { name: retired, schema: retiredSchema },
    outgoing: { name: building, schema: buildSchema },
    version: rows[0]?.version ?? 0,
  };
}

/** Stops every projector of this projection until the transaction ends. */
export async function lockCheckpoints(
  trx: Transaction<Database>,
  projection: string,
): Promise<void> {
  await sql`
    select from throughline.projection_partitions where projection = ${projection}
    order by partition for update`.execute(trx);
}

/** Copies contexts that are registered but not projected yet. */
async function copyUnprojected(trx: Transaction<Database>, schema: string): Promise<void> {
  await sql`
    insert into ${tablesIn(schema).contexts}
    select * from ${liveTables.contexts} where version = 0 on conflict do nothing`.execute(trx);
}

async function swapCheckpoints(
  trx: Transaction<Database>,
  { projection, incoming, outgoing, version }: Swap,
): Promise<void> {
  await sql`
    insert into throughline.projections (projection, version, store_identity, rebuilt_at)
    select ${outgoing.name}, version, store_identity, rebuilt_at
    from throughline.projections where projection = ${projection}`.execute(trx);
  await rename(trx, projection, outgoing.name);
  await rename(trx, incoming.name, projection);
  // Higher than both, so that no former owner of a partition still matches.
  await sql`
    update throughline.projection_partitions p set owner = null, failure = null, epoch = greatest(p.epoch, q.epoch) + 1
    from throughline.projection_partitions q
    where p.projection = ${projection} and q.projection = ${outgoing.name} and q.partition = p.partition`.execute(
    trx,
  );
  await sql`
    update throughline.projections p set version = ${version}, store_identity = i.store_identity, rebuilt_at = now()
    from throughline.projections i
    where p.projection = ${projection} and i.projection = ${incoming.name}`.execute(trx);
  await sql`delete from throughline.projections where projection = ${incoming.name}`.execute(trx);
}

async function rename(trx: Transaction<Database>, from: string, to: string): Promise<void> {
  for (const table of ['projection_partitions', 'dead_letters'])
    await sql`
      update ${sql.table(`throughline.${table}`)} set projection = ${to} where projection = ${from}`.execute(
      trx,
    );
}

/** Repeats the work if a reader held the tables for too long. */
export async function untilUnlocked<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      signal.throwIfAborted();
    }
}

function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailableError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === '55P03';
}
