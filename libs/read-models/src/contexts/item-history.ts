import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { ContextState, type Item, type ItemKey } from '#shared-context';

import { type ContextReader } from './context-reader.js';
import { type ContextId } from './context-stream.js';
import { encodeKey, itemRow, toItem } from './item-rows.js';

/** Versions behind `after` up to `until`, at most `limit` of them, oldest first. */
export type HistoryRange = Readonly<{ after: number; until: number; limit: number }>;

/**
 * The values an item had, for kinds whose value says nothing of the one before, such as a step's output: rows of the
 * projection, then the tail behind the version these rows are of.
 */
export async function listItemHistory(
  { db, reader }: Readonly<{ db: Kysely<Database>; reader: ContextReader }>,
  id: ContextId,
  key: ItemKey,
  range: HistoryRange,
): Promise<Item[]> {
  const { projected, found } = await findRows(db, id, key, range);
  for await (const event of reader.tail(id, projected)) {
    if (event.version > range.until || found.length >= range.limit) break;
    const item = ContextState.from([]).apply(event).get(key.kind, key.key);
    if (item && event.version > range.after) found.push(item);
  }
  return found;
}

/** One statement: rows and the version they are of belong together. */
async function findRows(
  db: Kysely<Database>,
  id: ContextId,
  { kind, key }: ItemKey,
  { after, until, limit }: HistoryRange,
): Promise<{ projected: number; found: Item[] }> {
  const { rows } = await sql<{ version: number | null; kind: string | null }>`
    select c.version, i.kind, i.key, i.from_version, i.state, i.body
    from (select 1) as always
    left join throughline.contexts c on c.workspace = ${id.workspace} and c.context_id = ${id.contextId}
    left join lateral (
      select i.* from throughline.context_items i
      where i.workspace = c.workspace and i.context_id = c.context_id
        and i.kind = ${kind} and i.key = ${encodeKey(key)}
        and i.from_version > ${after} and i.from_version <= ${until}
      order by i.from_version limit ${limit}) i on true
    order by i.from_version`.execute(db);
  const found = rows.filter((row) => row.kind).map((row) => toItem(itemRow.parse(row)));
  return { projected: rows[0]?.version ?? 0, found };
}
