import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import { hasTurnedSummariesOff } from './summaries-off.js';

/** Why a model has not summed up a context that is to be summed up. */
export type SummaryStatus = Readonly<{
  /** In a row; 0 if it has not failed since it last did it. */
  failures: number;
  /** Not asked again before. */
  nextAt: Date | null;
  /** Somebody is at it now. */
  isAsked: boolean;
}>;

const status = z
  .object({ failures: z.number(), next_at: z.date().nullable(), is_asked: z.boolean() })
  .transform((row): SummaryStatus => {
    const { failures, next_at: nextAt, is_asked: isAsked } = row;
    return { failures, nextAt, isAsked };
  });

/** Undefined if no model is behind: it has done what it was asked, or is not to be asked any more. By keys alone. */
export async function findSummaryStatus(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
): Promise<SummaryStatus | undefined> {
  const { rows } = await sql`
    select p.failures, p.next_at, coalesce(p.leased_until > now(), false) as is_asked
    from throughline.summary_places p
    join throughline.contexts c using (workspace, context_id)
    where p.workspace = ${workspace} and p.context_id = ${contextId} and c.status = 'open'
      and (p.failures > 0 or p.leased_until > now()) and not ${hasTurnedSummariesOff(sql.ref('p.workspace'))}`.execute(
    db,
  );
  return rows.map((row) => status.parse(row))[0];
}
