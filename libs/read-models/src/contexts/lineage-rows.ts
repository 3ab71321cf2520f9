import { type Transaction, sql } from 'kysely';

import { type Database, integerArray, textArray } from '#database';
import { type ContextId } from '#shared-context';

import { type ReadModelTables } from '../tables.js';

/** From `fromVersion` on, the context builds on the content of `baseContext` at `baseVersion`. */
export type LineageRow = ContextId &
  Readonly<{ fromVersion: number; baseContext: string; baseVersion: number }>;

export async function addLineages(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  rows: readonly LineageRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into ${tables.lineages} (workspace, context_id, from_version, base_context_id, base_version)
    select * from unnest(
      ${textArray(rows.map(({ workspace }) => workspace))}::text[],
      ${textArray(rows.map(({ contextId }) => contextId))}::text[],
      ${integerArray(rows.map(({ fromVersion }) => fromVersion))}::int[],
      ${textArray(rows.map(({ baseContext }) => baseContext))}::text[],
      ${integerArray(rows.map(({ baseVersion }) => baseVersion))}::int[])`.execute(trx);
}
