import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import { hasTurnedSummariesOff } from './summaries-off.js';

/** Why a summary that is due does not exist yet. */
export type SummaryStatus = Readonly<{
  /** Consecutive failures; 0 after a success. */
  failures: number;
  /** The time before which the model is not called again. */
  nextAt: Date | null;
  /** Whether a process is calling the model now. */
  isRunning: boolean;
}>;

const status = z
  .object({ failures: z.number(), next_at: z.date().nullable(), is_running: z.boolean() })
  .transform((row): SummaryStatus => {
    const { failures, next_at: nextAt, is_running: isAsked } = row;
    return { failures, nextAt, isRunning: isAsked };
  });

/** Undefined if no summary is overdue or in progress, or if none is to be written any more. Looks up keys only. */
export async function findSummaryStatus(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
): Promise<SummaryStatus | undefined> {
  const { rows } = await sql`
    select p.failures, p.next_at, coalesce(p.leased_until > now(), false) as is_running
    from throughline.summary_places p
    join throughline.contexts c using (workspace, context_id)
    where p.workspace = ${workspace} and p.context_id = ${contextId} and c.status = 'open'
      and (p.failures > 0 or p.leased_until > now()) and not ${hasTurnedSummariesOff(sql.ref('p.workspace'))}`.execute(
    db,
  );
  return rows.map((row) => status.parse(row))[0];
}
