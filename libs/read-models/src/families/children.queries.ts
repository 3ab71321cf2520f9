import { parseJsonString } from '#event-sourcing';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type Child, type ChildCount } from '#shared-context';

import { decodeActivity } from '../contexts/activity-column.js';

/** The limits of a reader's key, as for any list; `until` excludes contexts created later. */
type ChildFilter = Readonly<{
  workspace: string;
  parent: string;
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
  /** RFC 3339, UTC, milliseconds; inclusive. */
  until?: string | undefined;
}>;

const childRow = z.object({
  context_id: z.string(),
  title: z.string().nullable(),
  status: z.string(),
  activity: z.string(),
  created_at: z.string(),
  modified_at: z.string(),
});

const countRow = childRow
  .pick({ status: true, activity: true, created_at: true, modified_at: true })
  .extend({ count: z.coerce.number() });

/** The contexts that name `parent` as their parent, oldest first. */
export async function findChildren(
  db: Kysely<Database>,
  filter: ChildFilter,
  limit: number,
): Promise<Child[]> {
  const { rows } = await sql`
    select c.context_id, c.title, c.status, c.activity, c.created_at, c.modified_at
    from throughline.contexts c
    where ${matching(filter)}
    order by c.created_at, c.context_id
    limit ${limit}`.execute(db);
  return rows.map((row) => {
    const { context_id, title, status, activity, created_at, modified_at } = childRow.parse(row);
    return {
      contextId: context_id,
      title: title === null ? null : parseJsonString(title),
      status,
      activity: decodeActivity(activity),
      createdAt: created_at,
      modifiedAt: modified_at,
    };
  });
}

/** The number of children in each state: few rows, regardless of the number of children. */
export async function countChildren(
  db: Kysely<Database>,
  filter: ChildFilter,
): Promise<ChildCount[]> {
  const { rows } = await sql`
    select c.status, c.activity, count(*) as count, min(c.created_at) as created_at, max(c.modified_at) as modified_at
    from throughline.contexts c
    where ${matching(filter)}
    group by c.status, c.activity`.execute(db);
  return rows.map((row) => {
    const { status, activity, count, created_at, modified_at } = countRow.parse(row);
    return {
      status,
      count,
      // This library wrote the JSON text.
      activity: decodeActivity(activity),
      createdAt: created_at,
      modifiedAt: modified_at,
    };
  });
}

function matching({ workspace, parent, contexts, workflows, until }: ChildFilter) {
  const conditions: readonly RawBuilder<unknown>[] = [
    sql`c.workspace = ${workspace} and c.parent = ${parent}`,
    ...(contexts ? [sql`(c.context_id = any(${contexts}) or c.parent = any(${contexts}))`] : []),
    ...(workflows ? [sql`c.workflow_id = any(${workflows})`] : []),
    ...(until === undefined ? [] : [sql`c.created_at <= ${until}`]),
  ];
  return sql.join(conditions, sql` and `);
}
