import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type Position } from '#event-sourcing';
import { type ContextId } from '#shared-context';

import { searchVersion } from './search-code.js';
import { itemsTable } from './search-progress.js';

type Db = Kysely<Database>;

/** The delay before a failed context is retried. */
const retrySeconds = 30;

const owner = z
  .object({ workspace: z.string(), context_id: z.string() })
  .transform((row): ContextId => ({ workspace: row.workspace, contextId: row.context_id }));

const isBehind = sql`(
  p.version is distinct from c.version or p.code_version < ${sql.lit(searchVersion)} or p.rows_of <> ${itemsTable})`;

/**
 * Some contexts whose search rows differ from the read model: failed contexts first, then those with the oldest writes.
 * Excludes contexts that newer code indexes.
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
 * How many events of the read model are not indexed yet, in one workspace or in all. A context that must be indexed
 * again counts with all its events; failed contexts are excluded, like quarantined contexts of the read model.
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
  /** Events of the read models that are not indexed yet. */
  lagEvents: number;
  /** Contexts that could not be indexed. */
  failed: number;
}>;

export async function findSearchStatus(db: Db): Promise<SearchStatus> {
  const { rows } = await sql<{ failed: number }>`
    select count(*)::int as failed from throughline.search_places where failure is not null`.execute(
    db,
  );
  return { lagEvents: await countUnindexedEvents(db), failed: rows[0]?.failed ?? 0 };
}

/** How far the read models have got. */
export type ReadModelState = Readonly<{
  /** Changes whenever the read models change: with the same mark, there is nothing new to index. */
  mark: string;
  /** Changes if the rows were replaced, or if a context was quarantined or retried. */
  rows: string;
  /** The position of each partition in the log. */
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
    // The cast is safe: the event store returned these positions.
    reached: new Map(
      reached?.map(([partition, place]) => [partition, (place as Position | null) ?? 'start']),
    ),
  };
}

/** See {@link ReadModelState.mark}. */
export async function readModelMark(db: Db): Promise<string> {
  return (await readModelState(db)).mark;
}
