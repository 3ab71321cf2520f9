import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId, type ItemKind } from '#shared-context';

import { liveTables } from '../tables.js';
import { bodyBytesOf } from './referenced-body.js';

const sizes = z.object({ items: z.number(), bytes: z.coerce.number() });

/**
 * The number of current items of the kinds in `kinds` and `states`, and the bytes of the payloads of those in `kinds`,
 * as far as the rows have reached. Examines at most `limit` rows. Undefined for a fork or a restored context.
 */
export async function findItemSizes(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  {
    kinds,
    states,
    limit,
  }: Readonly<Record<'kinds' | 'states', readonly ItemKind[]>> & Readonly<{ limit: number }>,
): Promise<Readonly<{ items: number; bytes: number }> | undefined> {
  const { rows } = await sql`
    select found.items, found.bytes
    from ${liveTables.contexts} c
    cross join lateral (
      select count(*)::int as items,
        coalesce(sum(bytes) filter (where kind = any(${kinds})), 0) as bytes
      from (
        select i.kind, ${bodyBytesOf} as bytes from ${liveTables.items} i
        where i.workspace = c.workspace and i.context_id = c.context_id and i.to_version is null
          and i.kind = any(${[...kinds, ...states]})
        limit ${limit}) first) found
    where c.workspace = ${workspace} and c.context_id = ${contextId} and c.lineage is null`.execute(
    db,
  );
  return rows[0] ? sizes.parse(rows[0]) : undefined;
}
