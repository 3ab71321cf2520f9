import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';
import { type ContextId, contextStream } from '#shared-context';

import { searchVersion } from './search-code.js';

type Db = Kysely<Database> | Transaction<Database>;

/**
 * How far the search rows of a context have got; `current` unless other code or another table of items made them, `failed` if it
 * could not be indexed any further.
 */
export type SearchProgress = Readonly<{ version: number; current: boolean; failed: boolean }>;

/** A rebuild puts another table in the place of the one that the rows were made from: its number tells. */
export const itemsTable = sql`'throughline.context_items'::regclass::oid`;

const placeRow = z
  .object({
    workspace: z.string(),
    context_id: z.string(),
    version: z.number(),
    current: z.boolean(),
    failed: z.boolean(),
  })
  .transform(({ context_id: contextId, ...place }) => ({ contextId, ...place }));

/**
 * Locks the places of these contexts for this transaction, and keeps the tables that they are about from being switched. Contexts
 * that another process has locked, or that newer code keeps, are left out.
 */
export async function lockProgress(
  trx: Transaction<Database>,
  ids: readonly ContextId[],
): Promise<readonly (ContextId & SearchProgress)[]> {
  // In the order in which a rebuild locks them to switch.
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
  return rows.map((row) => placeRow.parse(row));
}

/**
 * Makes the places of contexts that have none. Two processes that make places of the same contexts wait for each other: the order
 * of the contexts keeps them from waiting in a circle.
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
  return rows.map((row) => placeRow.parse(row));
}

function idRows(ids: readonly ContextId[]): RawBuilder<unknown> {
  return sql`unnest(
      ${textArray(ids.map(({ workspace }) => workspace))}::text[],
      ${textArray(ids.map(({ contextId }) => contextId))}::text[]) as w(workspace, context_id)`;
}

/** Records that the search rows of contexts have reached these versions. */
export async function movePlaces(
  trx: Transaction<Database>,
  places: readonly (ContextId & Readonly<{ version: number }>)[],
): Promise<void> {
  if (places.length === 0) return;
  await sql`
    update throughline.search_places p set version = w.version, code_version = ${searchVersion},
      rows_of = ${itemsTable}, failure = null, tried_at = null
    from unnest(
      ${textArray(places.map(({ workspace }) => workspace))}::text[],
      ${textArray(places.map(({ contextId }) => contextId))}::text[],
      ${integerArray(places.map(({ version }) => version))}::int[]) as w(workspace, context_id, version)
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

/** Says why a context is not searched any further; it is tried again after a while. */
export async function noteFailure(
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
