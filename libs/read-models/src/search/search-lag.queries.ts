import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type Position } from '#event-sourcing';
import { type ContextId } from '#shared-context';

import { searchVersion } from './search-code.js';
import { itemsTable } from './search-progress.js';

type Db = Kysely<Database>;

/** What could not be taken in is tried again so often. */
const retrySeconds = 30;

const owner = z
  .object({ workspace: z.string(), context_id: z.string() })
  .transform((row): ContextId => ({ workspace: row.workspace, contextId: row.context_id }));

const isBehind = sql`(
  p.version is distinct from c.version or p.code_version < ${sql.lit(searchVersion)} or p.rows_of <> ${itemsTable})`;

/**
 * Contexts whose search rows are not what the read model says; some of them, those first that failed, then those longest without a
 * write. Those that newer code keeps are left to it.
 */
export async function findContextsToIndex(db: Db, limit: number): Promise<ContextId[]> {
  const { rows } = await sql`
    select coalesce(c.workspace, p.workspace) as workspace, coalesce(c.context_id, p.context_id) as context_id
    from throughline.contexts c
    full join throughline.search_places p on p.workspace = c.workspace and p.context_id = c.context_id
    where (c.version is null or c.version > 0 and ${isBehind})
      and (p.code_version is null or p.code_version <= ${searchVersion})
      and (p.failure is null or p.tried_at < now() - make_interval(secs => ${retrySeconds}))
    order by p.failure is null, c.modified_at nulls first limit ${limit}`.execute(db);
  return rows.map((row) => owner.parse(row));
}

/**
 * How many events of the read model are not searched yet, of one workspace or of all. What is made again counts whole;
 * what failed is counted apart, as contexts that are set aside are by the read model itself.
 */
export async function countUnindexedEvents(db: Db, workspace?: string): Promise<number> {
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

export type SearchStatus = Readonly<{
  /** Events of the read models that are not searched yet. */
  lagEvents: number;
  /** Contexts that cannot be searched any further for now. */
  failed: number;
}>;

export async function findSearchStatus(db: Db): Promise<SearchStatus> {
  const { rows } = await sql<{ failed: number }>`
    select count(*)::int as failed from throughline.search_places where failure is not null`.execute(
    db,
  );
  return { lagEvents: await countUnindexedEvents(db), failed: rows[0]?.failed ?? 0 };
}

/** Where the read models are. */
export type ReadModelState = Readonly<{
  /** Changes whenever the read models do: if it is the same, nothing new is to be searched. */
  mark: string;
  /** Changes if other rows have taken the place of these, or a context was set aside or tried again. */
  rows: string;
  /** How far each partition has come in the log. */
  reached: ReadonlyMap<number, Position | 'start'>;
}>;

const stateRow = z.object({
  rows: z.string(),
  partitions: z.string().nullable(),
  reached: z.array(z.tuple([z.number(), z.string().nullable()])).nullable(),
});

export async function readModelState(db: Db): Promise<ReadModelState> {
  const { rows } = await sql`
    select concat_ws(' ', ${itemsTable}, (
        select concat(count(*), ' ', max(tried_at)) from throughline.dead_letters
        where projection = 'shared-context')) as rows,
      p.* from (
        select string_agg(concat(partition, ':', position, ':', events), ' ' order by partition) as partitions,
          json_agg(json_build_array(partition, position)) as reached
        from throughline.projection_partitions where projection = 'shared-context') p`.execute(db);
  const { reached, partitions, ...state } = stateRow.parse(rows[0]);
  return {
    ...state,
    mark: `${state.rows} ${partitions ?? ''}`,
    // Stored as the store gave them.
    reached: new Map(
      reached?.map(([partition, place]) => [partition, (place as Position | null) ?? 'start']),
    ),
  };
}

/** {@link ReadModelState.mark} */
export async function readModelMark(db: Db): Promise<string> {
  return (await readModelState(db)).mark;
}
