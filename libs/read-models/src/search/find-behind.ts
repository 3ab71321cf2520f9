import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { type ContextId } from '../contexts/context-stream.js';
import { searchVersion } from './search-code.js';
import { itemsTable } from './search-place.js';

type Db = Kysely<Database>;

/** What could not be taken in is tried again so often. */
const retrySeconds = 30;

const owner = z
  .object({ workspace: z.string(), context_id: z.string() })
  .transform((row): ContextId => ({ workspace: row.workspace, contextId: row.context_id }));

const isBehind = sql`(
  p.version is distinct from c.version or p.code_version < ${sql.lit(searchVersion)} or p.rows_of <> ${itemsTable})`;

/**
 * Contexts whose search rows are not what the read model says, those longest without a write first; some of them. Those
 * that newer code keeps are left to it.
 */
export async function findBehind(db: Db, limit: number): Promise<ContextId[]> {
  const { rows } = await sql`
    select coalesce(c.workspace, p.workspace) as workspace, coalesce(c.context_id, p.context_id) as context_id
    from throughline.contexts c
    full join throughline.search_places p on p.workspace = c.workspace and p.context_id = c.context_id
    where (c.version is null or c.version > 0 and ${isBehind})
      and (p.code_version is null or p.code_version <= ${searchVersion})
      and (p.failure is null or p.tried_at < now() - make_interval(secs => ${retrySeconds}))
    order by c.modified_at nulls first limit ${limit}`.execute(db);
  return rows.map((row) => owner.parse(row));
}

/**
 * How many events of the read model are not searched yet, of one workspace or of all. What is made again counts whole;
 * what failed is counted apart, as contexts that are set aside are by the read model itself.
 */
export async function countBehind(db: Db, workspace?: string): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    select coalesce(sum(case
      when p.version < c.version and p.code_version >= ${searchVersion} and p.rows_of = ${itemsTable}
        then c.version - p.version
      else c.version end), 0)::float8 as events
    from throughline.contexts c
    left join throughline.search_places p on p.workspace = c.workspace and p.context_id = c.context_id
    where c.version > 0 and p.failure is null and ${isBehind} ${workspace === undefined ? sql`` : sql`and c.workspace = ${workspace}`}`.execute(
    db,
  );
  return rows[0]?.events ?? 0;
}

export type SearchStanding = Readonly<{
  /** Events of the read models that are not searched yet. */
  lagEvents: number;
  /** Contexts that cannot be searched any further for now. */
  failed: number;
}>;

export async function findSearchStanding(db: Db): Promise<SearchStanding> {
  const { rows } = await sql<{ failed: number }>`
    select count(*)::int as failed from throughline.search_places where failure is not null`.execute(
    db,
  );
  return { lagEvents: await countBehind(db), failed: rows[0]?.failed ?? 0 };
}

/** Changes whenever the read models do: where it is what it was, nothing new is to be searched. */
export async function readModelMark(db: Db): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select concat_ws(' ', ${itemsTable},
      (select string_agg(concat(partition, ':', position, ':', events), ' ' order by partition)
       from throughline.projection_partitions where projection = 'shared-context'),
      (select concat(count(*), ' ', max(tried_at)) from throughline.dead_letters)) as mark`.execute(
    db,
  );
  return rows[0]?.mark ?? '';
}
