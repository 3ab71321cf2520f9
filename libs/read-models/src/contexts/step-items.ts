import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type CallOptions } from '#event-sourcing';
import {
  type ContextId,
  type ItemKey,
  replacesWholeState,
  sourceOf,
  touchedKeys,
} from '#shared-context';

import { liveTables } from '../tables.js';
import { type ContextReader } from './context-reader.js';
import { decodeKey } from './item-rows.js';

type Source = Readonly<{ db: Kysely<Database>; reader: ContextReader }>;

type Row = Readonly<{ version: number; lineage: number | null; kinds: string[]; keys: string[] }>;

/**
 * The items that events of a step set, and the items whose sources contain the step's id otherwise, at a version.
 * Undefined for a fork or a restored context.
 */
export async function findStepItems(
  { db, reader }: Source,
  id: ContextId,
  { stepId, at }: Readonly<{ stepId: string; at: number }>,
  options?: CallOptions,
): Promise<readonly ItemKey[] | undefined> {
  const row = await findRow(db, id, { stepId, at });
  if (!row || row.version === 0 || row.lineage !== null) return undefined;
  const found = keysIn(row);
  for await (const event of reader.tail(id, { after: row.version, until: at }, options)) {
    if (replacesWholeState(event)) return undefined;
    if (sourceOf(event).step === stepId) found.push(...touchedKeys(event));
  }
  return found;
}

function keysIn({ kinds, keys }: Row): ItemKey[] {
  return keys.map((key, nth) => ({
    // The column holds only kinds of items.
    kind: kinds[nth] as ItemKey['kind'],
    key: decodeKey(key),
  }));
}

async function findRow(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  { stepId, at }: Readonly<{ stepId: string; at: number }>,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select c.version, c.lineage, coalesce(i.kinds, '{}') as kinds, coalesce(i.keys, '{}') as keys
    from ${liveTables.contexts} c
    left join lateral (
      select array_agg(i.kind::text order by i.kind, i.key) as kinds, array_agg(i.key::text order by i.kind, i.key) as keys
      from ${liveTables.items} i
      where i.workspace = c.workspace and i.context_id = c.context_id
        and i.from_version <= ${at} and (i.to_version is null or i.to_version > ${at})
        and strpos(i.sources, ${JSON.stringify(stepId)}) > 0) i on c.lineage is null
    where c.workspace = ${workspace} and c.context_id = ${contextId}`.execute(db);
  return rows[0];
}
