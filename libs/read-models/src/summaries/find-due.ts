import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import { hasTurnedSummariesOff } from './summaries-off.js';

const owner = z
  .object({ workspace: z.string(), context_id: z.string() })
  .transform((row): ContextId => ({ workspace: row.workspace, contextId: row.context_id }));

/**
 * Open contexts without a lease that have grown by at least `thresholdTokens` since the last check, in descending order
 * of growth. Excludes workspaces that have turned summaries off, whose contexts would remain due and delay the others.
 */
export async function findDueSummaries(
  db: Kysely<Database>,
  { thresholdTokens, limit }: Readonly<{ thresholdTokens: number; limit: number }>,
): Promise<ContextId[]> {
  const { rows } = await sql`
    select c.workspace, c.context_id from throughline.contexts c
    left join throughline.summary_places p on p.workspace = c.workspace and p.context_id = c.context_id
    where c.version > 0 and c.status = 'open' and c.tokens - coalesce(p.tokens, 0) >= ${thresholdTokens}
      and (p.next_at is null or p.next_at <= now()) and (p.leased_until is null or p.leased_until <= now())
      and not ${hasTurnedSummariesOff(sql.ref('c.workspace'))}
    order by c.tokens - coalesce(p.tokens, 0) desc limit ${limit}`.execute(db);
  return rows.map((row) => owner.parse(row));
}
