import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { type ReadModelTables } from '../tables.js';
import { type ContextId } from './context-stream.js';

/** Rows of one context made in these stretches of its versions, both ends included, in rising order. */
export type Layers = Readonly<{
  contextId: string;
  starts: readonly number[];
  ends: readonly number[];
  /** What versions of this context are counted down by, seen from the one that is read. */
  shift: number;
}>;

/** What a context at a version is made of, newest first; `rest` is what the rows have not reached yet. */
export type Lineage = Readonly<{
  layers: readonly Layers[];
  rest: Readonly<{ contextId: string; version: number; shift: number }> | undefined;
}>;

type Db = Kysely<Database>;

const link = z.object({
  context_id: z.string(),
  version: z.number(),
  projected: z.boolean(),
  from_version: z.number().nullable(),
});

/** `version` is one the rows have reached. One lookup a restore or fork that version stands on. */
export async function findLineage(
  db: Db,
  tables: ReadModelTables,
  id: ContextId,
  version: number,
): Promise<Lineage> {
  const { rows } = await sql`
    with recursive chain as (
      select 0 as depth, ${id.contextId}::text collate "C" as context_id, ${version}::int as version
      union all
      select k.depth + 1, l.base_context_id, l.base_version
      from chain k
      join ${tables.contexts} c
        on c.workspace = ${id.workspace} and c.context_id = k.context_id and c.version >= k.version
      cross join lateral (${newestLineage(tables, id.workspace)}) l
    )
    select k.context_id, k.version, coalesce(c.version >= k.version, false) as projected, l.from_version
    from chain k
    left join ${tables.contexts} c on c.workspace = ${id.workspace} and c.context_id = k.context_id
    left join lateral (${newestLineage(tables, id.workspace)}) l on true
    order by k.depth`.execute(db);
  return lineageOf(rows.map((row) => link.parse(row)));
}

/** How many restores and forks, one in another, a context at a version stands on. */
export async function countLinks(
  db: Db,
  tables: ReadModelTables,
  id: ContextId,
  version: number,
): Promise<number> {
  const { layers } = await findLineage(db, tables, id, version);
  return layers.reduce((count, { starts }) => count + starts.length, 0);
}

function newestLineage(tables: ReadModelTables, workspace: string) {
  return sql`
    select l.from_version, l.base_context_id, l.base_version from ${tables.lineages} l
    where l.workspace = ${workspace} and l.context_id = k.context_id and l.from_version <= k.version
    order by l.from_version desc limit 1`;
}

type Link = z.output<typeof link>;

function lineageOf(links: readonly Link[]): Lineage {
  const layers: (Layers & { starts: number[]; ends: number[] })[] = [];
  let shift = 0;
  for (const { context_id: contextId, version, projected, from_version: start } of links) {
    const newer = layers.at(-1);
    const same = newer?.contextId === contextId ? newer : undefined;
    // The versions of a fork begin where those of its source stop.
    if (newer && !same) shift += version;
    if (!projected) return { layers, rest: { contextId, version, shift } };
    const group = same ?? { contextId, starts: [], ends: [], shift };
    if (!same) layers.push(group);
    group.starts.unshift(start ?? 1);
    group.ends.unshift(version);
  }
  return { layers, rest: undefined };
}
