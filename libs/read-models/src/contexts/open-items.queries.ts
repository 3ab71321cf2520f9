import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId, type ItemKey, type ItemKind, itemKinds } from '#shared-context';

import { liveTables } from '../tables.js';
import { decodeKey } from './item-rows.js';

const openItemsRow = z.object({
  projected: z.number(),
  lineage: z.number().nullable(),
  found: z.array(z.object({ kind: z.enum(itemKinds), key: z.string() })),
});

/** Keys of items at the requested version, or at the version that the rows have reached if that is lower. */
type OpenItems = Readonly<{ projected: number; keys: readonly ItemKey[] }>;

/**
 * Searches the text of a state, because PostgreSQL's JSON functions reject lone surrogates. The match is exact: a state
 * has at most one member of each of these names, and quotes inside its strings are escaped.
 */
const isOpen = sql`case
  when i.kind in ('step', 'task', 'phase') then strpos(i.state, '"status":"completed"') = 0
  when i.kind = 'decision' then strpos(i.state, '"status":"pending"') > 0
  when i.kind = 'loop' then strpos(i.state, '"tripped":true') > 0
  else strpos(i.state, '"status":"open"') > 0 end`;

/**
 * The items of these kinds that are open at a version; steps count as open until they are completed, including failed
 * ones. The cost does not depend on the number of other items. Undefined if the rows are missing, or if the context is
 * a fork or was restored.
 */
export async function findOpenItems(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  { version, kinds }: Readonly<{ version: number; kinds: readonly ItemKind[] }>,
): Promise<OpenItems | undefined> {
  const ofKinds = sql`i.workspace = c.workspace and i.context_id = c.context_id
    and i.kind = any(${kinds}) and i.from_version <= ${version}::int and ${isOpen}`;
  const { rows } = await sql`
    select c.version as projected, c.lineage, array(
      select json_build_object('kind', i.kind, 'key', i.key) from ${liveTables.items} i
      where ${ofKinds} and i.to_version is null
      union all
      select json_build_object('kind', i.kind, 'key', i.key) from ${liveTables.items} i
      where ${ofKinds} and c.version > ${version}::int and i.to_version > ${version}::int) as found
    from ${liveTables.contexts} c
    where c.workspace = ${workspace} and c.context_id = ${contextId}`.execute(db);
  if (!rows[0]) return undefined;
  const { projected, lineage, found } = openItemsRow.parse(rows[0]);
  if (lineage !== null) return undefined;
  return { projected, keys: found.map(({ kind, key }) => ({ kind, key: decodeKey(key) })) };
}
