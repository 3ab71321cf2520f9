import { parseJsonString } from '#event-sourcing';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId, type Item } from '#shared-context';

import { type WorkKind } from './open-work.js';
import { itemRow, toItem } from '../contexts/item-rows.js';

/** The end of a page: the values of its last row in the columns that order the list. */
export type InboxPosition = Readonly<{
  priority: number;
  openedAt: string;
  contextId: string;
  kind: string;
  key: string;
}>;

/** An item that is work, with its context and the title of that context, which every reader of the context may see. */
export type ListedWork = Readonly<{
  id: ContextId;
  title: string | null;
  item: Item;
  position: InboxPosition;
}>;

export type WorkFilter = Readonly<{
  workspace: string;
  /** A row is listed if it matches any of these; a null `assignee` means work for any person. */
  any: readonly Readonly<{ assignee: string | null; due: boolean }>[];
  /** Limits of the caller's key: only these contexts (or their children), and only contexts of these workflows. */
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
  /** Restricts the list to this kind. */
  kind?: WorkKind;
  /** Restricts the list to this context. */
  contextId?: string | undefined;
}>;

type Page = Readonly<{ after: InboxPosition | undefined; limit: number }>;

const workRow = itemRow.extend({
  workspace: z.string(),
  context_id: z.string(),
  title: z.string().nullable(),
  priority: z.number(),
  opened_at: z.string(),
});

/** Work in open contexts, the highest priority first, then the oldest. */
export async function listWork(
  db: Kysely<Database>,
  filter: WorkFilter,
  page: Page,
): Promise<ListedWork[]> {
  const branches = filter.any.map((one) => branch(filter, one, page));
  if (branches.length === 0) return [];
  const { rows } = await sql`
    select * from (${sql.join(branches, sql` union all `)}) listed
    order by priority, opened_at, context_id, kind, key limit ${page.limit}`.execute(db);
  return rows.map((row) => listed(workRow.parse(row)));
}

/** Each branch reads in the order of the index. */
function branch(
  { workspace, contexts, workflows, kind, contextId }: WorkFilter,
  { assignee, due }: WorkFilter['any'][number],
  { after, limit }: Page,
): RawBuilder<unknown> {
  const conditions = [
    sql`o.workspace = ${workspace} and o.due = ${due} and c.status = 'open'`,
    assignee === null ? sql`o.assignee is null` : sql`o.assignee = ${assignee}`,
    ...(contexts ? [sql`(c.context_id = any(${contexts}) or c.parent = any(${contexts}))`] : []),
    ...(workflows ? [sql`c.workflow_id = any(${workflows})`] : []),
    ...(kind === undefined ? [] : [sql`o.kind = ${kind}`]),
    ...(contextId === undefined ? [] : [sql`o.context_id = ${contextId}`]),
    ...(after ? [afterPosition(after)] : []),
  ];
  return sql`(
    select o.*, c.title from throughline.open_work o
    join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
    where ${sql.join(conditions, sql` and `)}
    order by o.priority, o.opened_at, o.context_id, o.kind, o.key limit ${limit})`;
}

function afterPosition({
  priority,
  openedAt,
  contextId,
  kind,
  key,
}: InboxPosition): RawBuilder<unknown> {
  return sql`(o.priority, o.opened_at, o.context_id, o.kind, o.key)
    > (${priority}::smallint, ${openedAt}, ${contextId}, ${kind}, ${key})`;
}

function listed(row: z.output<typeof workRow>): ListedWork {
  const { workspace, context_id: contextId, title, priority, kind, key } = row;
  const position = { priority, openedAt: row.opened_at, contextId, kind, key };
  return {
    id: { workspace, contextId },
    title: title === null ? null : parseJsonString(title),
    item: toItem(row),
    position,
  };
}

/**
 * What blocks a context: the number of open blockers, and the circuit breakers that tripped or are near their limit.
 */
export type Obstacles = Readonly<{ openBlockers: number; loops: readonly Item[] }>;

/** The obstacles by context, for contexts of one workspace that have any. */
export async function findObstacles(
  db: Kysely<Database>,
  workspace: string,
  contextIds: readonly string[],
): Promise<ReadonlyMap<string, Obstacles>> {
  if (contextIds.length === 0) return new Map();
  const { rows } = await sql`
    select o.* from throughline.open_work o
    where o.workspace = ${workspace} and o.context_id = any(${contextIds}) and o.kind = any(${['blocker', 'loop']})
    order by o.context_id, o.kind, o.key`.execute(db);
  const byContext = Map.groupBy(
    rows.map((row) => obstacleRow.parse(row)),
    ({ context_id: contextId }) => contextId,
  );
  return new Map([...byContext].map(([contextId, found]) => [contextId, obstaclesOf(found)]));
}

const obstacleRow = itemRow.extend({ context_id: z.string() });

function obstaclesOf(rows: readonly z.output<typeof obstacleRow>[]): Obstacles {
  const loops = rows.filter(({ kind }) => kind === 'loop').map(toItem);
  return { openBlockers: rows.length - loops.length, loops };
}
