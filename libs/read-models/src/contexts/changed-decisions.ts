import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type CallOptions } from '#event-sourcing';
import { type ContextId, type ItemKey, replacesWholeState, touchedKeys } from '#shared-context';

import { liveTables } from '../tables.js';
import { type ContextReader } from './context-reader.js';
import { decodeKey } from './item-rows.js';

type Source = Readonly<{ db: Kysely<Database>; reader: ContextReader }>;

/** The lowest and highest version that authors had read, and the version up to which changes are searched. */
type ReadVersions = Readonly<{ first: number; last: number; until: number }>;

/**
 * Decisions that exist at version `last` and changed after `first`, up to `until`. They include every decision that was
 * in force at one of the versions read and is not in force any more. Undefined for a fork or a restored context.
 */
export async function findChangedDecisions(
  { db, reader }: Source,
  id: ContextId,
  { first, last, until }: ReadVersions,
  options?: CallOptions,
): Promise<readonly ItemKey[] | undefined> {
  const { rows } = await sql<{ version: number; lineage: number | null; changed: string[] }>`
    select c.version, c.lineage, array(
      select distinct i.key from ${liveTables.items} i
      where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = 'decision'
        and i.from_version > ${first} and i.from_version <= ${until}
        and exists (
          select from ${liveTables.items} e
          where e.workspace = i.workspace and e.context_id = i.context_id and e.kind = i.kind and e.key = i.key
            and e.from_version <= ${last})) as changed
    from ${liveTables.contexts} c
    where c.workspace = ${id.workspace} and c.context_id = ${id.contextId}`.execute(db);
  const [row] = rows;
  if (!row || row.version === 0 || row.lineage !== null) return undefined;
  const keys = row.changed.map(decodeKey);
  for await (const event of reader.tail(id, { after: row.version, until }, options)) {
    if (replacesWholeState(event)) return undefined;
    keys.push(...touchedKeys(event).flatMap(({ kind, key }) => (kind === 'decision' ? key : [])));
  }
  return [...new Set(keys)].map((key) => ({ kind: 'decision', key }));
}
