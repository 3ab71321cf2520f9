import { type RawBuilder, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';
import { type ContextId, type ItemKey } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { encodeKey, itemRow, toItem } from '../contexts/item-rows.js';
import { removedState } from '../contexts/item-text.js';
import { bodyBytesOf, bodyOf } from '../contexts/referenced-body.js';
import { type EndedItem, type ShownItem } from './search-rows.js';

/** Versions behind `after` up to and including `to`, none of which has a base. */
type Stretch = Readonly<{ after: number; to: number }>;

/** A stretch of a context, and the items that its events touch. */
export type ContextStretch = ContextId & Stretch & Readonly<{ keys: readonly ItemKey[] }>;

export type ItemChanges = Readonly<{
  /** What was current before. */
  ended: readonly EndedItem[];
  added: readonly ShownItem[];
}>;

const changedRow = itemRow.extend({ to_version: itemRow.shape.from_version.nullable() });
type ChangedRow = ReturnType<typeof changedRow.parse>;

const placedRow = changedRow.extend({ nth: z.number(), isBeyond: z.boolean() });

/**
 * What each stretch did to its items, from the rows of the read model; it says the same however far these have got on. The rows of
 * all stretches are read until their payloads come to `most` bytes: `undefined` for a stretch with a row beyond that.
 */
export async function findChanges(
  trx: Transaction<Database>,
  stretches: readonly ContextStretch[],
  most: number = Number.MAX_SAFE_INTEGER,
): Promise<readonly (ItemChanges | undefined)[]> {
  return runInSlices(changesBetween(await findRows(trx, stretches, most), stretches));
}

function* changesBetween(
  rows: readonly unknown[],
  stretches: readonly ContextStretch[],
): Steps<(ItemChanges | undefined)[]> {
  const rowsOf = stretches.map((): ChangedRow[] | undefined => []);
  for (const row of rows) {
    const parsed = placedRow.parse(row);
    if (parsed.isBeyond) rowsOf[parsed.nth] = undefined;
    else rowsOf[parsed.nth]?.push(parsed);
    yield;
  }
  const changes: (ItemChanges | undefined)[] = [];
  for (const [nth, stretch] of stretches.entries()) {
    const own = rowsOf[nth];
    changes.push(own && (yield* changesIn(own, stretch)));
  }
  return changes;
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

const ownRows = sql`
  throughline.context_items i
  where i.workspace = w.workspace and i.context_id = w.context_id and i.kind = w.kind and i.key = w.key`;

/** For the item and the stretch in the row `w`: the row before the stretch, without payload, and those made in it. */
const rowsOfItem = sql`
  (select i.kind, i.key, i.from_version, i.to_version, i.state, null as body, null as body_position,
    null as body_bytes, 0 as bytes
   from ${ownRows} and i.from_version <= w.after_version order by i.from_version desc limit 1)
  union all
  select i.kind, i.key, i.from_version, i.to_version, i.state, i.body, i.body_position, i.body_bytes,
    coalesce(${bodyBytesOf}, 0)
  from ${ownRows} and i.from_version > w.after_version and i.from_version <= w.last_version`;

/** The rows of an item are together, oldest first. */
async function findRows(
  trx: Transaction<Database>,
  stretches: readonly ContextStretch[],
  most: number,
): Promise<readonly unknown[]> {
  const { rows } = await sql`
    select r.nth, r.kind, r.key, r.from_version, r.to_version, r.state, null as sources,
      r.is_beyond as "isBeyond", l.body
    from (
      select w.nth, i.*, coalesce(sum(i.bytes) over (
        order by w.nth, i.kind, i.key, i.from_version rows between unbounded preceding and 1 preceding), 0) >= ${most} as is_beyond
      from ${itemsIn(stretches)} cross join lateral (${rowsOfItem}) i) r
    left join lateral (
      select ${bodyOf} as body
      from (select r.body, r.body_position, r.body_bytes, r.from_version offset 0) i where not r.is_beyond) l on true
    order by r.nth, r.kind, r.key, r.from_version`.execute(trx);
  return rows;
}

function itemsIn(stretches: readonly ContextStretch[]): RawBuilder<unknown> {
  const wanted = stretches.flatMap(({ keys, ...stretch }, nth) =>
    keys.map((key) => ({ ...stretch, ...key, nth })),
  );
  return sql`
    unnest(
      ${integerArray(wanted.map(({ nth }) => nth))}::int[],
      ${textArray(wanted.map(({ workspace }) => workspace))}::text[],
      ${textArray(wanted.map(({ contextId }) => contextId))}::text[],
      ${textArray(wanted.map(({ kind }) => kind))}::text[],
      ${textArray(wanted.map(({ key }) => encodeKey(key)))}::text[],
      ${integerArray(wanted.map(({ after }) => after))}::int[],
      ${integerArray(wanted.map(({ to }) => to))}::int[]
    ) as w(nth, workspace, context_id, kind, key, after_version, last_version)`;
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
