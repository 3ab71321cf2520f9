import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import { type ReadModelTables } from '../tables.js';

/** Rows of one context from these ranges of its versions, both ends included, in ascending order. */
export type Layers = Readonly<{
  contextId: string;
  starts: readonly number[];
  ends: readonly number[];
  /** The number to subtract from versions of this context to get versions of the context that is read. */
  shift: number;
}>;

/** The layers that make up a context at a version, newest first; `rest` is the part that the rows have not reached. */
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

/** `version` must be one that the rows have reached. One lookup per restore or fork that the version depends on. */
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

/** How many restores and forks a version of a context depends on, directly or through others. */
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

type MutableLayers = Layers & { starts: number[]; ends: number[] };

function lineageOf(links: readonly Link[]): Lineage {
  const layers: MutableLayers[] = [];
  for (const link of links) {
    const { contextId, version, shift } = positionOf(link, layers.at(-1));
    if (!link.projected) return { layers, rest: { contextId, version, shift } };
    const newer = layers.at(-1);
    const group =
      newer?.contextId === contextId ? newer : { contextId, starts: [], ends: [], shift };
    if (group !== newer) layers.push(group);
    group.starts.unshift(link.from_version ?? 1);
    group.ends.unshift(version);
  }
  return { layers, rest: undefined };
}

/** The versions of a fork begin after the last version of its source. */
function positionOf({ context_id: contextId, version }: Link, newer: MutableLayers | undefined) {
  const forked = newer !== undefined && newer.contextId !== contextId;
  return { contextId, version, shift: (newer?.shift ?? 0) + (forked ? version : 0) };
}
