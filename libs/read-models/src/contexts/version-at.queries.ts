import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import { type ReadModelTables } from '../tables.js';

/**
 * The newest version in the rows that was recorded at or before `time` (RFC 3339, UTC, milliseconds; 0 if there is
 * none), and the version that the rows have reached. One statement, so that both come from the same moment.
 * `recorded_at` never decreases within a stream, so that a binary search needs about log2(n) lookups and no
 * additional index.
 */
export async function findVersionAt(
  db: Kysely<Database>,
  tables: ReadModelTables,
  id: ContextId,
  time: string,
): Promise<{ projected: number; found: number }> {
  const { rows } = await sql<{ projected: number | null; found: number | null }>`
    with recursive bounds(low, high) as (
      select 0, c.version from ${tables.contexts} c
      where c.workspace = ${id.workspace} and c.context_id = ${id.contextId}
      union all
      select case when v.is_past then b.middle else b.low end, case when v.is_past then b.high else b.middle - 1 end
      from (select low, high, (low + high + 1) / 2 as middle from bounds where low < high) b
      cross join lateral (
        select recorded_at <= ${time} as is_past from ${tables.versions}
        where workspace = ${id.workspace} and context_id = ${id.contextId} and version = b.middle limit 1) v)
    select max(high) as projected, max(low) as found from bounds`.execute(db);
  return { projected: rows[0]?.projected ?? 0, found: rows[0]?.found ?? 0 };
}
