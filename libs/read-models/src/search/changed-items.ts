import { type Transaction, sql } from 'kysely';

import { type Database, textArray } from '#database';
import { type ItemKey } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { type ContextId } from '../contexts/context-stream.js';
import { encodeKey, itemRow, toItem } from '../contexts/item-rows.js';
import { removedState } from '../contexts/item-text.js';
import { bodyOf } from '../contexts/referenced-body.js';
import { type EndedItem, type ShownItem } from './search-rows.js';

/** Versions behind `after` up to and including `to`, none of which has a base. */
export type Stretch = Readonly<{ after: number; to: number }>;

export type ItemChanges = Readonly<{
  /** What was current before. */
  ended: readonly EndedItem[];
  added: readonly ShownItem[];
}>;

const changedRow = itemRow.extend({ to_version: itemRow.shape.from_version.nullable() });
export type ChangedRow = ReturnType<typeof changedRow.parse>;

/** What a stretch did to these items, from the rows of the read model; it says the same however far these have got on. */
export async function findChanges(
  trx: Transaction<Database>,
  id: ContextId,
  keys: readonly ItemKey[],
  stretch: Stretch,
): Promise<ItemChanges> {
  return runInSlices(changesBetween(await findRows(trx, id, keys, stretch), stretch));
}

function* changesBetween(rows: readonly unknown[], stretch: Stretch): Steps<ItemChanges> {
  const parsed: ChangedRow[] = [];
  for (const row of rows) {
    parsed.push(changedRow.parse(row));
    yield;
  }
  return yield* changesIn(parsed, stretch);
}

/** `rows` are of some items, of each oldest first; a step for each row, whose payload may be large. */
export function* changesIn(rows: readonly ChangedRow[], stretch: Stretch): Steps<ItemChanges> {
  const byKey = Map.groupBy(rows, ({ kind, key }) => `${kind} ${key}`);
  const ended: EndedItem[] = [];
  const added: ShownItem[] = [];
  for (const own of byKey.values()) {
    const { stops, end } = stopsOf(own, stretch);
    if (end) ended.push(end);
    const fresh = own.filter(({ from_version }) => from_version > stretch.after);
    for (const item of shownItems(fresh, stops)) {
      yield;
      if (item) added.push(item);
    }
  }
  return { ended, added };
}

/** Of every item the row before the stretch, without payload, and those made in it; oldest first. */
async function findRows(
  trx: Transaction<Database>,
  { workspace, contextId }: ContextId,
  keys: readonly ItemKey[],
  { after, to }: Stretch,
): Promise<readonly unknown[]> {
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
      select i.kind, i.key, i.from_version, i.to_version, i.state, ${bodyOf} as body, null as sources
      from throughline.context_items i where ${own} and i.from_version > ${after} and i.from_version <= ${to}) i
    order by i.kind, i.key, i.from_version`.execute(trx);
  return rows;
}

/** The versions of the stretch at which a value ends, and the value from before the stretch that ends first. */
function stopsOf(rows: readonly ChangedRow[], { after, to }: Stretch) {
  const stops = rows
    .flatMap(({ from_version, to_version }) => [from_version, to_version ?? to + 1])
    .filter((version) => version > after && version <= to)
    .toSorted((left, right) => left - right);
  const [first] = rows;
  const [toVersion] = stops;
  const end =
    first && toVersion !== undefined ? { kind: first.kind, key: first.key, toVersion } : undefined;
  return { stops, end };
}

/** Each until the next of the stops, which are sorted as the rows are; undefined for a row that says its item is gone. */
function* shownItems(
  rows: readonly ChangedRow[],
  stops: readonly number[],
): Generator<ShownItem | undefined> {
  let next = 0;
  for (const row of rows) {
    while ((stops[next] ?? Infinity) <= row.from_version) next++;
    const toVersion = stops[next] ?? null;
    const isGone = row.state === removedState;
    yield isGone ? undefined : { item: toItem(row), fromVersion: row.from_version, toVersion };
  }
}
