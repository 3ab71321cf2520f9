import { type RawBuilder, sql } from 'kysely';

import { epochIn, statusIn } from '#read-models';

/**
 * Whether the run of an open item `o` belongs to the current epoch and has one of these statuses; an index alone answers
 * that. The scalar subquery looks up each run by its full key; with old statistics, a join may read all runs of the
 * workspace per item.
 */
export function hasRunStatus(statuses: readonly string[]): RawBuilder<unknown> {
  return sql`coalesce((
    select true from throughline.context_items r
    where r.workspace = o.workspace and r.context_id = o.context_id
      and r.kind = 'run' and r.to_version is null
      and ${epochIn('r')} = (select epoch from throughline.store_epoch)
      and ${statusIn('r')} = any(${[...statuses]}) limit 1), false)`;
}
