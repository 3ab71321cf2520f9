import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import {
  type Base,
  type ContextId,
  type Item,
  type ItemKey,
  ContextState,
  baseOf,
  shifted,
} from '#shared-context';

import { liveTables } from '../tables.js';
import { type ContextReader } from './context-reader.js';
import { encodeKey, itemRow, toItem } from './item-rows.js';
import { listInLayers } from './layered-items.js';
import { findLineage } from './layers.js';
import { bodyOf } from './referenced-body.js';

/** At most `limit` versions after `after`, up to `until`, oldest first. Inherited versions of a fork are below 1. */
type HistoryRange = Readonly<{ after: number; until: number; limit: number }>;

/** Less than every version, including inherited ones. */
export const beforeAllVersions = -2_147_483_648;

type Source = Readonly<{ db: Kysely<Database>; reader: ContextReader }>;

/**
 * The values that an item had, for kinds whose value is replaced as a whole, such as a step's output: rows of the
 * projection, then the tail after them. Excludes values that a restore reverted. The source of a value is the event
 * that set it.
 */
export async function listItemHistory(
  source: Source,
  id: ContextId,
  key: ItemKey,
  range: HistoryRange,
): Promise<Item[]> {
  let newest = await listInRows(source, id, key, range);
  const { from: projected } = newest;
  const spans = [newest];
  for await (const event of source.reader.tail(id, { after: projected, until: range.until })) {
    const base = baseOf(id.contextId, event);
    if (base) {
      const values = await listAtBase(source, id, key, { base, range, spans });
      newest = { from: event.version, values };
      spans.push(newest);
    }
    const item = ContextState.from([]).apply(event).get(key.kind, key.key);
    if (item && event.version > range.after && newest.values.length < range.limit)
      newest.values.push(item);
  }
  return newest.values.map((item) => ({ ...item, sources: item.sources?.slice(-1) }));
}

/** The values of an item in order, valid from version `from` until the next restore. */
type ValueSpan = Readonly<{ from: number; values: Item[] }>;

/** Reads the rows; `from` is the version that they have reached. */
async function listInRows(
  source: Source,
  id: ContextId,
  key: ItemKey,
  range: HistoryRange,
): Promise<ValueSpan> {
  const { projected: from, layered, found } = await findRows(source.db, id, key, range);
  const until = Math.min(from, range.until);
  const isLayered = layered && until > 0;
  const values = isLayered ? await listLayers(source, id, key, { ...range, until }) : found;
  return { from, values };
}

type BaseRequest = Readonly<{ base: Base; range: HistoryRange; spans: readonly ValueSpan[] }>;

/** A restore in the tail may target a version of the tail, whose values were read before. */
async function listAtBase(
  source: Source,
  { workspace }: ContextId,
  key: ItemKey,
  { base: { contextId, version, forked }, range: { after, limit }, spans }: BaseRequest,
): Promise<Item[]> {
  const known = forked ? undefined : spans.findLast(({ from }) => from <= version);
  if (known) return known.values.filter(({ fromVersion }) => fromVersion <= version);
  const shift = forked ? version : 0;
  const range = { after: after + shift, until: version, limit };
  const values = await listItemHistory(source, { workspace, contextId }, key, range);
  return values.map((item) => shifted(item, shift));
}

/** Oldest values first, beginning with the oldest layer, up to the limit. */
async function listLayers(
  source: Source,
  id: ContextId,
  key: ItemKey,
  { after, until, limit }: HistoryRange,
): Promise<Item[]> {
  const { layers, rest } = await findLineage(source.db, liveTables, id, until);
  const where = { db: source.db, tables: liveTables, workspace: id.workspace };
  const found: Item[] = [];
  if (rest) {
    const { contextId, version, shift } = rest;
    const range = { after: after + shift, until: version, limit };
    const older = await listItemHistory(source, { ...id, contextId }, key, range);
    for (const item of older) found.push(shifted(item, shift));
  }
  for (const layer of layers.toReversed()) {
    const left = limit - found.length;
    if (left <= 0) break;
    for (const item of await listInLayers(where, layer, { key, after, limit: left }))
      found.push(item);
  }
  return found;
}

/** One statement, so that the rows match the version they are reported for. */
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
    select c.version, c.lineage, i.kind, i.key, i.from_version, i.state, ${bodyOf} as body, i.sources
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
