import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { ContextState, type Item, type ItemKey, baseOf, shifted } from '#shared-context';

import { liveTables } from '../tables.js';
import { type ContextReader } from './context-reader.js';
import { type ContextId } from './context-stream.js';
import { encodeKey, itemRow, toItem } from './item-rows.js';
import { listInLayers } from './layered-items.js';
import { findLineage } from './layers.js';

/**
 * Versions behind `after` up to `until`, at most `limit` of them, oldest first. What a fork inherited has versions
 * below 1.
 */
export type HistoryRange = Readonly<{ after: number; until: number; limit: number }>;

/** Before everything, inherited or not. */
export const beforeAll = -2_147_483_648;

type Source = Readonly<{ db: Kysely<Database>; reader: ContextReader }>;

/**
 * The values an item had, for kinds whose value says nothing of the one before, such as a step's output: rows of the
 * projection, then the tail behind the version these rows are of. What a restore took back is not among them. The
 * source of a value is the event that made it, and no earlier one.
 */
export async function listItemHistory(
  source: Source,
  id: ContextId,
  key: ItemKey,
  range: HistoryRange,
): Promise<Item[]> {
  const { projected, layered, found } = await findRows(source.db, id, key, range);
  let values =
    layered && projected > 0 && range.until > 0
      ? await listLayers(source, id, key, Math.min(projected, range.until))
      : found;
  for await (const event of source.reader.tail(id, { after: projected, until: range.until })) {
    const base = baseOf(id.contextId, event);
    if (base) {
      const of = { workspace: id.workspace, contextId: base.contextId };
      const kept = await listItemHistory(source, of, key, allUntil(base.version));
      values = kept.map((item) => shifted(item, base.forked ? base.version : 0));
    }
    const item = ContextState.from([]).apply(event).get(key.kind, key.key);
    if (item) values.push(item);
  }
  return values
    .filter(({ fromVersion }) => fromVersion > range.after)
    .slice(0, range.limit)
    .map((item) => ({ ...item, sources: item.sources?.slice(-1) }));
}

function allUntil(until: number): HistoryRange {
  return { after: beforeAll, until, limit: Number.MAX_SAFE_INTEGER };
}

async function listLayers(
  source: Source,
  id: ContextId,
  key: ItemKey,
  version: number,
): Promise<Item[]> {
  const { layers, rest } = await findLineage(source.db, liveTables, id, version);
  const where = { db: source.db, tables: liveTables, workspace: id.workspace };
  const found: (readonly Item[])[] = [];
  if (rest) {
    const older = await listItemHistory(source, { ...id, ...rest }, key, allUntil(rest.version));
    found.push(older.map((item) => shifted(item, rest.shift)));
  }
  for (const layer of layers.toReversed()) found.push(await listInLayers(where, layer, key));
  return found.flat();
}

/** One statement: rows and the version they are of belong together. */
async function findRows(
  db: Kysely<Database>,
  id: ContextId,
  { kind, key }: ItemKey,
  { after, until, limit }: HistoryRange,
): Promise<{ projected: number; layered: boolean; found: Item[] }> {
  const { rows } = await sql<{
    version: number | null;
    lineage: number | null;
    kind: string | null;
  }>`
    select c.version, c.lineage, i.kind, i.key, i.from_version, i.state, i.body, i.sources
    from (select 1) as always
    left join throughline.contexts c on c.workspace = ${id.workspace} and c.context_id = ${id.contextId}
    left join lateral (
      select i.* from throughline.context_items i
      where i.workspace = c.workspace and i.context_id = c.context_id and c.lineage is null
        and i.kind = ${kind} and i.key = ${encodeKey(key)}
        and i.from_version > ${after} and i.from_version <= ${until}
      order by i.from_version limit ${limit}) i on true
    order by i.from_version`.execute(db);
  const found = rows.filter((row) => row.kind).map((row) => toItem(itemRow.parse(row)));
  const [first] = rows;
  return { projected: first?.version ?? 0, layered: Boolean(first?.lineage), found };
}
