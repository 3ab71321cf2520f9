import { type Kysely, type RawBuilder, sql } from 'kysely';

import { type Database } from '#database';
import { type ContextHead } from '#shared-context';

import { headRow, toHead } from '../contexts/head-rows.js';

import { candidateConditions } from './search-candidates.js';
import { type Search, searchConditions } from './search-conditions.js';

export type ContextFilter = Readonly<{
  workspace: string;
  status?: string | undefined;
  workflow?: string | undefined;
  parent?: string | undefined;
  agent?: string | undefined;
  /** RFC 3339, UTC, milliseconds; inclusive. */
  updatedSince?: string | undefined;
  /** Limits of the caller's key: only these contexts (or their children), and only contexts of these workflows. */
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
  /** Searches the documents, as far as they are indexed. */
  search?: Search | undefined;
  /** For readers with restricted visibility: returns candidates, which {@link matchesSearch} must check. */
  candidatesOf?: Search | undefined;
}>;

/** The end of a page: creation time and id of its last context. */
export type ContextListPosition = Readonly<{ createdAt: string; contextId: string }>;

/** Contexts after a position of the list, up to another one. */
export type ContextListRange = Readonly<{
  after: ContextListPosition | undefined;
  until?: ContextListPosition | undefined;
  limit: number;
}>;

/** Newest first by creation time. A new context is listed with version 0 until the projection reaches it. */
export async function listContexts(
  db: Kysely<Database>,
  filter: ContextFilter,
  range: ContextListRange,
): Promise<ContextHead[]> {
  const conditions = listConditions(filter, range);
  const { rows } = await sql`
    select c.* from throughline.contexts c
    where ${sql.join(conditions, sql` and `)}
    order by c.created_at desc, c.context_id desc
    limit ${range.limit}`.execute(db);
  return rows.map((row) => toHead(headRow.parse(row)));
}

/** Conditions on the row `c` of a context. */
export function listConditions(
  filter: ContextFilter,
  { after, until }: Pick<ContextListRange, 'after' | 'until'>,
): readonly Condition[] {
  return [
    ...inWorkspace(filter),
    ...matching(filter),
    ...afterPosition(after),
    ...upToPosition(until),
    ...searchConditions(filter.workspace, filter.search ?? {}),
    ...candidateConditions(filter.workspace, filter.candidatesOf ?? {}),
  ];
}

type Condition = RawBuilder<unknown>;

/**
 * The second condition is always true: it is the condition of the index `contexts_newest`, which statements about a
 * single context must not use.
 */
function inWorkspace({ workspace }: ContextFilter): Condition[] {
  return [sql`c.workspace = ${workspace}`, sql`c.created_at >= ''`];
}

function matching({
  status,
  workflow,
  parent,
  agent,
  updatedSince,
  contexts,
  workflows,
}: ContextFilter): Condition[] {
  return [
    when(status, (value) => sql`c.status = ${value}`),
    when(workflow, (value) => sql`c.workflow_id = ${value}`),
    when(parent, (value) => sql`c.parent = ${value}`),
    when(updatedSince, (value) => sql`c.modified_at >= ${value}`),
    when(agent, wroteTo),
    when(contexts, (ids) => sql`(c.context_id = any(${ids}) or c.parent = any(${ids}))`),
    when(workflows, (ids) => sql`c.workflow_id = any(${ids})`),
  ].flat();
}

/** The position `count` contexts after `after` in the list; undefined if the list is shorter. */
export async function findPositionAfter(
  db: Kysely<Database>,
  filter: ContextFilter,
  { after, count }: Readonly<{ after: ContextListPosition | undefined; count: number }>,
): Promise<ContextListPosition | undefined> {
  const conditions = [...inWorkspace(filter), ...matching(filter), ...afterPosition(after)];
  const { rows } = await sql<{ created_at: string; context_id: string }>`
    select c.created_at, c.context_id from throughline.contexts c
    where ${sql.join(conditions, sql` and `)}
    order by c.created_at desc, c.context_id desc
    limit 1 offset ${count - 1}`.execute(db);
  const [row] = rows;
  return row && { createdAt: row.created_at, contextId: row.context_id };
}

/** Up to and including this position. */
function upToPosition(position: ContextListPosition | undefined): Condition[] {
  return when(
    position,
    ({ createdAt, contextId }) => sql`(c.created_at, c.context_id) >= (${createdAt}, ${contextId})`,
  );
}

function afterPosition(position: ContextListPosition | undefined): Condition[] {
  return when(
    position,
    ({ createdAt, contextId }) => sql`(c.created_at, c.context_id) < (${createdAt}, ${contextId})`,
  );
}

function wroteTo(agentId: string): Condition {
  return sql`exists (
    select from throughline.context_agents a
    where a.workspace = c.workspace and a.context_id = c.context_id and a.agent_id = ${agentId})`;
}

function when<Value>(
  value: Value | undefined | null,
  condition: (value: Value) => Condition,
): Condition[] {
  return value === undefined || value === null ? [] : [condition(value)];
}
