import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';
import { parseJson, parseJsonObject, parseJsonString } from '#event-sourcing';
import { type ContextId, type Item, type ItemKey, itemKinds, lazyItem } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { type ReadModelTables } from '../tables.js';
import { PackedBody } from './packed-body.js';
import { type RowChanges } from './project-events.js';
import { bodyBytesOf, bodyOf, joinedEvent, presentBody, referredBody } from './referenced-body.js';
import { decodeSources } from './source-column.js';

type Db = Kysely<Database> | Transaction<Database>;

export const itemRow = z.object({
  kind: z.enum(itemKinds),
  key: z.string(),
  from_version: z.number(),
  state: z.string(),
  body: z.string().nullable(),
  sources: z.string().nullable(),
  packed: z.instanceof(PackedBody).optional(),
});

const currentRow = itemRow.extend({
  workspace: z.string(),
  context_id: z.string(),
  state: z.string().nullable(),
});

/** This library wrote the JSON text of `state` and `body`. */
export function toItem({ kind, key, from_version, ...row }: z.output<typeof itemRow>): Item {
  const { state, body, sources, packed } = row;
  const facts = {
    kind,
    key: decodeKey(key),
    fromVersion: from_version,
    state: parseJsonObject(state),
    sources: decodeSources(sources),
  };
  if (packed) return lazyItem(facts, () => packed.value);
  return {
    ...facts,
    body: body === null ? undefined : parseJson(presentBody(body)),
  };
}

/** Maps many rows in time slices, so that other work can run in between. */
export function readRows<Result>(
  rows: readonly unknown[],
  map: (row: z.output<typeof itemRow>) => Result,
): Promise<Result[]> {
  return runInSlices(mapRows(rows, map));
}

function* mapRows<Result>(
  rows: readonly unknown[],
  map: (row: z.output<typeof itemRow>) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const row of rows) {
    results.push(map(itemRow.parse(row)));
    yield;
  }
  return results;
}

/** A current item; `item` is undefined if it is beyond the byte limit. */
type CurrentItem = ContextId & ItemKey & Readonly<{ item: Item | undefined }>;

/**
 * The current items with these keys, over many contexts: the first `minItems`, and of the others, in their order, as
 * many as fit into `maxBytes`. For items beyond the limit only the key is read.
 */
export async function findCurrentItems(
  db: Db,
  tables: ReadModelTables,
  requested: readonly (ContextId & ItemKey)[],
  { minItems, maxBytes }: Readonly<{ minItems: number; maxBytes: number }>,
): Promise<CurrentItem[]> {
  // One lookup per key, by its newest row: with a join, PostgreSQL would scan a new table without statistics, and a
  // rebuild has only this index so far. The length of a stored text is known without reading it.
  const { rows } = await sql`
    select w.workspace, w.context_id, w.kind, w.key, w.from_version, l.state, l.body, l.sources
    from (
      select w.*, i.from_version, i.state, i.body, i.body_position, i.body_bytes, i.sources, i.bytes,
        coalesce(sum(i.bytes) over (order by w.nth rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from unnest(
        ${textArray(requested.map(({ workspace }) => workspace))}::text[],
        ${textArray(requested.map(({ contextId }) => contextId))}::text[],
        ${textArray(requested.map(({ kind }) => kind))}::text[],
        ${textArray(requested.map(({ key }) => encodeKey(key)))}::text[]
      ) with ordinality as w(workspace, context_id, kind, key, nth)
      cross join lateral (
        select i.*, octet_length(i.state) + coalesce(${bodyBytesOf}, 0) + coalesce(octet_length(i.sources), 0) as bytes
        from ${tables.items} i
        where i.workspace = w.workspace and i.context_id = w.context_id and i.kind = w.kind and i.key = w.key
        order by i.from_version desc limit 1) i
      where i.to_version is null) w
    left join lateral (
      select i.state, ${bodyOf} as body, i.sources
      from (select w.state, w.body, w.body_position, w.body_bytes, w.from_version, w.sources offset 0) i
      where w.nth <= ${minItems} or w.bytes_before < ${maxBytes}) l on true
    order by w.nth`.execute(db);
  return runInSlices(parseItems(rows));
}

function* parseItems(rows: readonly unknown[]): Steps<CurrentItem[]> {
  const items: CurrentItem[] = [];
  for (const row of rows) {
    const parsed = currentRow.parse(row);
    const { workspace, context_id: contextId, kind, state } = parsed;
    const item = state === null ? undefined : toItem({ ...parsed, state });
    items.push({ workspace, contextId, kind, key: decodeKey(parsed.key), item });
    yield;
  }
  return items;
}

/** A statement that ends items and returns one row for each. */
export function endedItems(tables: ReadModelTables, ended: RowChanges['ended']) {
  return sql`
    update ${tables.items} i set to_version = e.to_version
    from unnest(
      ${textArray(ended.map(({ workspace }) => workspace))}::text[],
      ${textArray(ended.map(({ contextId }) => contextId))}::text[],
      ${textArray(ended.map(({ kind }) => kind))}::text[],
      ${textArray(ended.map(({ key }) => encodeKey(key)))}::text[],
      ${integerArray(ended.map(({ fromVersion }) => fromVersion))}::int[],
      ${integerArray(ended.map(({ toVersion }) => toVersion))}::int[]
    ) as e(workspace, context_id, kind, key, from_version, to_version)
    where (i.workspace, i.context_id, i.kind, i.key, i.from_version)
        = (e.workspace, e.context_id, e.kind, e.key, e.from_version)
    returning 1`;
}

/**
 * SQL that adds items. `after`: the name of a common table expression made by {@link endedItems}. Counting its rows
 * makes PostgreSQL execute it first, so that no item ever has two current rows.
 */
export function addedItems(tables: ReadModelTables, added: RowChanges['added'], after?: 'ended') {
  const done = after ? sql`(select count(*) from ${sql.id(after)}) as done,` : sql``;
  return sql`
    insert into ${tables.items} (workspace, context_id, kind, key, from_version, to_version, state, sources,
      body, body_position, body_bytes)
    select a.workspace, a.context_id, a.kind, a.key, a.from_version, a.to_version, a.state, a.sources, ${referredBody}
    from ${done} unnest(
      ${textArray(added.map(({ workspace }) => workspace))}::text[],
      ${textArray(added.map(({ contextId }) => contextId))}::text[],
      ${textArray(added.map(({ kind }) => kind))}::text[],
      ${textArray(added.map(({ key }) => encodeKey(key)))}::text[],
      ${integerArray(added.map(({ fromVersion }) => fromVersion))}::int[],
      ${integerArray(added.map(({ toVersion }) => toVersion))}::int[],
      ${textArray(added.map(({ text }) => text.state))}::text[],
      ${textArray(added.map(({ text }) => text.body))}::text[],
      ${textArray(added.map(({ text }) => text.sources))}::text[],
      ${textArray(added.map(({ position }) => position))}::text[]
    ) as a(workspace, context_id, kind, key, from_version, to_version, state, body, sources, position)
    ${joinedEvent}`;
}

/**
 * PostgreSQL text cannot hold NUL or lone surrogates, which names in user data may contain. Keys are therefore stored
 * as the inside of their JSON string.
 */
export function encodeKey(key: string): string {
  return JSON.stringify(key).slice(1, -1);
}

export function decodeKey(text: string): string {
  return parseJsonString(`"${text}"`);
}
