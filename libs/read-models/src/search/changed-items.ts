import { type Transaction, sql } from 'kysely';

import { type Database, textArray } from '#database';
import { type ItemKey } from '#shared-context';

import { type ContextId } from '../contexts/context-stream.js';
import { encodeKey, itemRow, removedState, toItem } from '../contexts/item-rows.js';
import { type EndedItem, type ShownItem } from './search-rows.js';

/** Versions behind `after` up to and including `to`, none of which has a base. */
export type Stretch = Readonly<{ after: number; to: number }>;

export type ItemChanges = Readonly<{
  /** What was current before. */
  ended: readonly EndedItem[];
  added: readonly ShownItem[];
}>;

const changedRow = itemRow.extend({ to_version: itemRow.shape.from_version.nullable() });
type Row = ReturnType<typeof changedRow.parse>;

/** What a stretch did to these items, from the rows of the read model; it says the same however far these have got on. */
export async function findChanges(
  trx: Transaction<Database>,
  id: ContextId,
  keys: readonly ItemKey[],
  stretch: Stretch,
): Promise<ItemChanges> {
  const rows = await findRows(trx, id, keys, stretch);
  const byKey = Map.groupBy(rows, ({ kind, key }) => `${kind} ${key}`);
  const changes = [...byKey.values()].map((own) => changesOf(own, stretch));
  return {
    ended: changes.flatMap(({ ended }) => ended),
    added: changes.flatMap(({ added }) => added),
  };
}

/** Of every item the row before the stretch, without payload, and those made in it; oldest first. */
async function findRows(
  trx: Transaction<Database>,
  { workspace, contextId }: ContextId,
  keys: readonly ItemKey[],
  { after, to }: Stretch,
): Promise<Row[]> {
  const own = sql`
    i.workspace = ${workspace} and i.context_id = ${contextId} and i.kind = w.kind and i.key = w.key`;
  const { rows } = await sql`
    select i.* from unnest(
      ${textArray(keys.map(({ kind }) => kind))}::text[],
      ${textArray(keys.map(({ key }) => encodeKey(key)))}::text[]) as w(kind, key)
    cross join lateral (
      (select i.kind, i.key, i.from_version, i.to_version, i.state, null as body, null as sources
       from throughline.context_items i where ${own} and i.from_version <= ${after}
       order by i.from_version desc limit 1)
      union all
      select i.kind, i.key, i.from_version, i.to_version, i.state, i.body, null as sources
      from throughline.context_items i where ${own} and i.from_version > ${after} and i.from_version <= ${to}) i
    order by i.kind, i.key, i.from_version`.execute(trx);
  return rows.map((row) => changedRow.parse(row));
}

/** `rows` are of one item, oldest first. */
function changesOf(rows: readonly Row[], { after, to }: Stretch): ItemChanges {
  const fresh = rows.filter(({ from_version }) => from_version > after);
  const stops = rows
    .flatMap(({ from_version, to_version }) => [from_version, to_version ?? to + 1])
    .filter((version) => version > after && version <= to)
    .toSorted((left, right) => left - right);
  const [first] = rows;
  const [toVersion] = stops;
  const ended =
    first && toVersion !== undefined ? [{ kind: first.kind, key: first.key, toVersion }] : [];
  return { ended, added: shownItems(fresh, stops) };
}

/** Each until the next of the stops, which are sorted as the rows are. */
function shownItems(rows: readonly Row[], stops: readonly number[]): readonly ShownItem[] {
  let next = 0;
  return rows.flatMap((row) => {
    while ((stops[next] ?? Infinity) <= row.from_version) next++;
    if (row.state === removedState) return [];
    return [{ item: toItem(row), fromVersion: row.from_version, toVersion: stops[next] ?? null }];
  });
}
