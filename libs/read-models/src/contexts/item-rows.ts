import { setImmediate } from 'node:timers/promises';

import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';
import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Item, type ItemKey, itemKinds } from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { type ContextId } from './context-stream.js';
import { type ContextChanges } from './project-events.js';
import { decodeSources, encodeSources } from './source-column.js';
import { WorkTurn } from './work-turn.js';

type Db = Kysely<Database> | Transaction<Database>;

export const itemRow = z.object({
  kind: z.enum(itemKinds),
  key: z.string(),
  from_version: z.number(),
  state: z.string(),
  body: z.string().nullable(),
  sources: z.string().nullable(),
});

/** The state of a row that says its item is gone, where an older layer may hold it still. */
export const removedState = 'null';

const ownedItemRow = itemRow.extend({ workspace: z.string(), context_id: z.string() });

/** `state` and `body` are JSON text that this library wrote itself. */
export function toItem({ kind, key, from_version, ...row }: z.output<typeof itemRow>): Item {
  const { state, body, sources } = row;
  return {
    kind,
    key: decodeKey(key),
    fromVersion: from_version,
    state: JSON.parse(state) as JsonObject,
    body: body === null ? undefined : (JSON.parse(body) as JsonValue),
    sources: decodeSources(sources),
  };
}

/** The items of many rows, parsed in turns with everything else that the process does. */
export async function readItems(rows: readonly unknown[]): Promise<Item[]> {
  const items: Item[] = [];
  const turn = new WorkTurn();
  for (const row of rows) {
    const parsed = itemRow.parse(row);
    items.push(toItem(parsed));
    if (turn.isOver(parsed.state.length + (parsed.body?.length ?? 0))) await setImmediate();
  }
  return items;
}

/** The current items under these keys, over many contexts. */
export async function findCurrentItems(
  db: Db,
  tables: ReadModelTables,
  wanted: readonly (ContextId & ItemKey)[],
): Promise<(ContextId & Item)[]> {
  // One lookup a key, by its newest row: a join would let a fresh table without statistics be read whole, and a
  // rebuild has no index but this one yet.
  const { rows } = await sql`
    select w.workspace, w.context_id, i.kind, i.key, i.from_version, i.state, i.body, i.sources
    from unnest(
      ${textArray(wanted.map(({ workspace }) => workspace))}::text[],
      ${textArray(wanted.map(({ contextId }) => contextId))}::text[],
      ${textArray(wanted.map(({ kind }) => kind))}::text[],
      ${textArray(wanted.map(({ key }) => encodeKey(key)))}::text[]
    ) as w(workspace, context_id, kind, key)
    cross join lateral (
      select * from ${tables.items} i
      where i.workspace = w.workspace and i.context_id = w.context_id and i.kind = w.kind and i.key = w.key
      order by i.from_version desc limit 1) i
    where i.to_version is null`.execute(db);
  return rows.map((row) => {
    const parsed = ownedItemRow.parse(row);
    return { workspace: parsed.workspace, contextId: parsed.context_id, ...toItem(parsed) };
  });
}

/** A statement that ends items, with a row for each. */
export function endedItems(tables: ReadModelTables, ended: ContextChanges['ended']) {
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
 * A statement that adds items, beside one of {@link endedItems} called `ended`. It counts what that one has done: so all of
 * it is done before, and there is never a second current row of an item.
 */
export function addedItems(tables: ReadModelTables, added: ContextChanges['added']) {
  return sql`
    insert into ${tables.items} (workspace, context_id, kind, key, from_version, to_version, state, body, sources)
    select a.* from (select count(*) from ended) as done, unnest(
      ${textArray(added.map(({ workspace }) => workspace))}::text[],
      ${textArray(added.map(({ contextId }) => contextId))}::text[],
      ${textArray(added.map(({ kind }) => kind))}::text[],
      ${textArray(added.map(({ key }) => encodeKey(key)))}::text[],
      ${integerArray(added.map(({ fromVersion }) => fromVersion))}::int[],
      ${integerArray(added.map(({ toVersion }) => toVersion))}::int[],
      ${textArray(added.map(({ state }) => JSON.stringify(state)))}::text[],
      ${textArray(added.map(({ body }) => (body === undefined ? null : JSON.stringify(body))))}::text[],
      ${textArray(added.map(({ sources }) => encodeSources(sources)))}::text[]) as a`;
}

/**
 * PostgreSQL text holds neither NUL nor lone surrogates, which names of user data may contain: keys are kept as
 * the inside of their JSON string.
 */
export function encodeKey(key: string): string {
  return JSON.stringify(key).slice(1, -1);
}

export function decodeKey(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}
