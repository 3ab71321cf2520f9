import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { type ContextId } from '../contexts/context-stream.js';
import { searchVersion } from './search-code.js';

type Db = Kysely<Database> | Transaction<Database>;

/** How far the search rows of a context have got; `current` unless other code or another table of items made them. */
export type SearchPlace = Readonly<{ version: number; current: boolean }>;

/** A rebuild puts another table in the place of the one that the rows were made from: its number tells. */
export const itemsTable = sql`'throughline.context_items'::regclass::oid`;

const placeRow = z.object({ version: z.number(), current: z.boolean() });

/**
 * Locks the place for this transaction, and keeps the tables that it is about from being switched; undefined where
 * another process has it, or newer code.
 */
export async function lockPlace(
  trx: Transaction<Database>,
  id: ContextId,
): Promise<SearchPlace | undefined> {
  // In the order in which a rebuild locks them to switch.
  await sql`
    lock table throughline.contexts, throughline.context_items, throughline.context_versions,
      throughline.context_lineages in access share mode`.execute(trx);
  return (await lock(trx, id)) ?? (await lockNew(trx, id));
}

async function lock(
  trx: Transaction<Database>,
  { workspace, contextId }: ContextId,
): Promise<SearchPlace | undefined> {
  const { rows } = await sql`
    select version, code_version = ${searchVersion} and rows_of = ${itemsTable} as current
    from throughline.search_places
    where workspace = ${workspace} and context_id = ${contextId} and code_version <= ${searchVersion}
    for update skip locked`.execute(trx);
  return rows.map((row) => placeRow.parse(row))[0];
}

/** Where there is one that somebody else has, it stays his. */
async function lockNew(trx: Transaction<Database>, id: ContextId) {
  const { workspace, contextId } = id;
  const { numAffectedRows } = await sql`
    insert into throughline.search_places (workspace, context_id, version, code_version, rows_of)
    values (${workspace}, ${contextId}, 0, ${searchVersion}, ${itemsTable}) on conflict do nothing`.execute(
    trx,
  );
  return numAffectedRows === 1n ? { version: 0, current: true } : undefined;
}

export async function movePlace(
  trx: Transaction<Database>,
  { workspace, contextId }: ContextId,
  version: number,
): Promise<void> {
  await sql`
    update throughline.search_places set version = ${version}, code_version = ${searchVersion},
      rows_of = ${itemsTable}, failure = null, tried_at = null
    where workspace = ${workspace} and context_id = ${contextId}`.execute(trx);
}

export async function removePlace(
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
