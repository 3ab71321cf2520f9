import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type Activity, type ContextId, noActivity } from '#shared-context';

import { type ReadModelTables, liveTables } from '../tables.js';
import { decodeActivity } from './activity-column.js';

const activityRow = z.object({
  projected: z.number(),
  complete: z.boolean().nullable(),
  activity: z.string().nullable(),
  newest: z.string(),
});

/**
 * The activity of a context at a version, in one lookup regardless of the number of steps. Undefined if the rows have
 * not reached the version, or if a projection version wrote them that did not store activity.
 */
export async function findActivityAt(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  version: number,
  tables: ReadModelTables = liveTables,
): Promise<Activity | undefined> {
  const { rows } = await sql`
    select c.version as projected, c.activity as newest, (
      select v.event_id is not null from ${tables.versions} v
      where v.workspace = c.workspace and v.context_id = c.context_id and v.version = 1) as complete, (
      select v.activity from ${tables.versions} v
      where v.workspace = c.workspace and v.context_id = c.context_id and v.version <= ${version}
        and v.activity is not null
      order by v.version desc limit 1) as activity
    from ${tables.contexts} c
    where c.workspace = ${workspace} and c.context_id = ${contextId}`.execute(db);
  if (!rows[0]) return undefined;
  const { projected, complete, activity, newest } = activityRow.parse(rows[0]);
  if (projected < version || !complete) return undefined;
  // Only the newest row records whether work is counted: older rows may lack the counts.
  const { counted } = decodeActivity(newest);
  return { ...(activity === null ? noActivity : decodeActivity(activity)), counted };
}
