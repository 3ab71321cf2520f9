import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';

import { type ContextHead } from './context-head.js';
import { headRow, toHead } from './context-rows.js';

export type ContextFilter = Readonly<{
  workspace: string;
  status?: string | undefined;
  workflow?: string | undefined;
  parent?: string | undefined;
  agent?: string | undefined;
  /** RFC 3339, UTC, milliseconds; inclusive. */
  updatedSince?: string | undefined;
  /** Limits of the caller's key: only these, and only contexts of these workflows. */
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
}>;

/** Where a page ended: creation time and id of its last context. */
export type ListPlace = Readonly<{ createdAt: string; contextId: string }>;

/** Newest first by creation. A context just created is there with version 0 until the projection reaches it. */
export async function listContexts(
  db: Kysely<Database>,
  filter: ContextFilter,
  page: Readonly<{ after: ListPlace | undefined; limit: number }>,
): Promise<ContextHead[]> {
  const { rows } = await sql`
    select c.* from throughline.contexts c
    where c.workspace = ${filter.workspace}
      and (${filter.status ?? null}::text is null or c.status = ${filter.status ?? null})
      and (${filter.workflow ?? null}::text is null or c.workflow_id = ${filter.workflow ?? null})
      and (${filter.parent ?? null}::text is null or c.parent = ${filter.parent ?? null})
      and (${filter.updatedSince ?? null}::text is null or c.modified_at >= ${filter.updatedSince ?? null})
      and (${filter.agent ?? null}::text is null or exists (
        select from throughline.context_agents a
        where a.workspace = c.workspace and a.context_id = c.context_id and a.agent_id = ${filter.agent ?? null}))
      and (${filter.contexts}::text[] is null or c.context_id = any(${filter.contexts}) or c.parent = any(${filter.contexts}))
      and (${filter.workflows}::text[] is null or c.workflow_id = any(${filter.workflows}))
      and (${page.after?.createdAt ?? null}::text is null
        or (c.created_at, c.context_id) < (${page.after?.createdAt ?? null}, ${page.after?.contextId ?? null}))
    order by c.created_at desc, c.context_id desc
    limit ${page.limit}`.execute(db);
  return rows.map((row) => toHead(headRow.parse(row)));
}

/** The context an earlier creating request with this key made, if there is one. */
export async function findContextByCreateKey(
  db: Kysely<Database>,
  workspace: string,
  createKey: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ context_id: string }>`
    select context_id from throughline.contexts
    where workspace = ${workspace} and create_key = ${createKey}
    order by created_at limit 1`.execute(db);
  return rows[0]?.context_id;
}
