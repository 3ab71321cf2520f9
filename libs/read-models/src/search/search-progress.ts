import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';
import { type ContextId, contextStream } from '#shared-context';

import { searchVersion } from './search-code.js';

type Db = Kysely<Database> | Transaction<Database>;

/**
 * The progress of the search rows of a context. `current` is false if other code or another table of items produced
 * them; `failed` is true if the context could not be indexed.
 */
export type SearchProgress = Readonly<{ version: number; current: boolean; failed: boolean }>;

/** Identifies the table that the rows were produced from: a rebuild replaces it by another one. */
export const itemsTable = sql`'throughline.context_items'::regclass::oid`;

const progressRow = z
  .object({
    workspace: z.string(),
    context_id: z.string(),
    version: z.number(),
    current: z.boolean(),
    failed: z.boolean(),
  })
  .transform(({ context_id: contextId, ...row }) => ({ contextId, ...row }));

/**
 * Locks the progress of these contexts for this transaction, and prevents a rebuild from switching the tables
 * meanwhile. Excludes contexts that another process has locked, and contexts that newer code indexes.
 */
export async function lockProgress(
  trx: Transaction<Database>,
  ids: readonly ContextId[],
): Promise<readonly (ContextId & SearchProgress)[]> {
  // In the order in which a rebuild locks them.
  await sql`
    lock table throughline.contexts, throughline.context_items, throughline.context_versions,
      throughline.context_lineages in access share mode`.execute(trx);
  const locked = await lock(trx, ids);
  const found = new Set(locked.map(contextStream));
  const others = ids.filter((id) => !found.has(contextStream(id)));
  return others.length === 0 ? locked : [...locked, ...(await lockNew(trx, others))];
}

async function lock(
  trx: Transaction<Database>,
  ids: readonly ContextId[],
): Promise<readonly (ContextId & SearchProgress)[]> {
  const { rows } = await sql`
    select p.workspace, p.context_id, p.version, p.failure is not null as failed,
      p.code_version = ${searchVersion} and p.rows_of = ${itemsTable} as current
    from ${idRows(ids)} join throughline.search_places p on p.workspace = w.workspace and p.context_id = w.context_id
    where p.code_version <= ${searchVersion}
    for update of p skip locked`.execute(trx);
  return rows.map((row) => progressRow.parse(row));
}

/**
 * Inserts rows for contexts that have none. Two processes that insert rows for the same contexts wait for each other;
 * the fixed order prevents deadlocks.
 */
async function lockNew(
  trx: Transaction<Database>,
  ids: readonly ContextId[],
): Promise<readonly (ContextId & SearchProgress)[]> {
  const { rows } = await sql`
    insert into throughline.search_places (workspace, context_id, version, code_version, rows_of)
    select w.workspace, w.context_id, 0, ${searchVersion}, ${itemsTable}
    from ${idRows(ids)} order by w.workspace, w.context_id
    on conflict do nothing
    returning workspace, context_id, version, false as failed, true as current`.execute(trx);
  return rows.map((row) => progressRow.parse(row));
}

function idRows(ids: readonly ContextId[]): RawBuilder<unknown> {
  return sql`unnest(
      ${textArray(ids.map(({ workspace }) => workspace))}::text[],
      ${textArray(ids.map(({ contextId }) => contextId))}::text[]) as w(workspace, context_id)`;
}

/** Records that the search rows of these contexts have reached these versions. */
export async function updateProgress(
  trx: Transaction<Database>,
  progress: readonly (ContextId & Readonly<{ version: number }>)[],
): Promise<void> {
  if (progress.length === 0) return;
  await sql`
    update throughline.search_places p set version = w.version, code_version = ${searchVersion},
      rows_of = ${itemsTable}, failure = null, tried_at = null
    from unnest(
      ${textArray(progress.map(({ workspace }) => workspace))}::text[],
      ${textArray(progress.map(({ contextId }) => contextId))}::text[],
      ${integerArray(progress.map(({ version }) => version))}::int[]) as w(workspace, context_id, version)
    where p.workspace = w.workspace and p.context_id = w.context_id`.execute(trx);
}

export async function removeProgress(
  trx: Transaction<Database>,
  { workspace, contextId }: ContextId,
): Promise<void> {
  await sql`
    delete from throughline.search_places
    where workspace = ${workspace} and context_id = ${contextId}`.execute(trx);
}

/** Records why a context could not be indexed; it is retried after a delay. */
export async function recordFailure(
  db: Db,
  { workspace, contextId }: ContextId,
  failure: string,
): Promise<void> {
  await sql`
    insert into throughline.search_places (workspace, context_id, version, code_version, rows_of, failure, tried_at)
    values (${workspace}, ${contextId}, 0, ${searchVersion}, ${itemsTable}, ${failure}, now())
    on conflict (workspace, context_id) do update set failure = excluded.failure, tried_at = excluded.tried_at`.execute(
    db,
  );
}
