import { type RawBuilder, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';
import { type ContextId, type ItemKey } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { encodeKey, itemRow, toItem } from '../contexts/item-rows.js';
import { removedState } from '../contexts/item-text.js';
import { bodyBytesOf, bodyOf } from '../contexts/referenced-body.js';
import { type EndedItem, type IndexedItem } from './search-rows.js';

/** Versions after `after`, up to and including `to`; none of their events has a base. */
type VersionRange = Readonly<{ after: number; to: number }>;

/** A range of versions of a context, and the items that its events touch. */
export type ContextRange = ContextId & VersionRange & Readonly<{ keys: readonly ItemKey[] }>;

export type ItemChanges = Readonly<{
  /** The items that were current before. */
  ended: readonly EndedItem[];
  added: readonly IndexedItem[];
}>;

const changedRow = itemRow.extend({ to_version: itemRow.shape.from_version.nullable() });
type ChangedRow = ReturnType<typeof changedRow.parse>;

const numberedRow = changedRow.extend({ nth: z.number(), isBeyond: z.boolean() });

/**
 * The changes of items in each range of versions, from the rows of the read model; the result does not depend on how
 * far the rows have got beyond the range. Reads the rows of all ranges until their payloads reach `maxBytes`:
 * `undefined` for a range with a row beyond that.
 */
export async function findChanges(
  trx: Transaction<Database>,
  ranges: readonly ContextRange[],
  maxBytes: number = Number.MAX_SAFE_INTEGER,
): Promise<readonly (ItemChanges | undefined)[]> {
  return runInSlices(changesBetween(await findRows(trx, ranges, maxBytes), ranges));
}

function* changesBetween(
  rows: readonly unknown[],
  ranges: readonly ContextRange[],
): Steps<(ItemChanges | undefined)[]> {
  const rowsOf = ranges.map((): ChangedRow[] | undefined => []);
  for (const row of rows) {
    const parsed = numberedRow.parse(row);
    if (parsed.isBeyond) rowsOf[parsed.nth] = undefined;
    else rowsOf[parsed.nth]?.push(parsed);
    yield;
  }
  const changes: (ItemChanges | undefined)[] = [];
  for (const [nth, range] of ranges.entries()) {
    const own = rowsOf[nth];
    changes.push(own && (yield* changesIn(own, range)));
  }
  return changes;
}

/** `rows` are ordered by version within each item. One step for each row, whose payload may be large. */
export function* changesIn(rows: readonly ChangedRow[], range: VersionRange): Steps<ItemChanges> {
  const byKey = Map.groupBy(rows, ({ kind, key }) => `${kind} ${key}`);
  const ended: EndedItem[] = [];
  const added: IndexedItem[] = [];
  for (const own of byKey.values()) {
    const { stops, end } = stopsOf(own, range);
    if (end) ended.push(end);
    const fresh = own.filter(({ from_version }) => from_version > range.after);
    for (const item of indexedItems(fresh, stops)) {
      yield;
      if (item) added.push(item);
    }
  }
  return { ended, added };
}

const ownRows = sql`
  throughline.context_items i
  where i.workspace = w.workspace and i.context_id = w.context_id and i.kind = w.kind and i.key = w.key`;

/**
 * For the item and the range in the row `w`: the row before the range, without its payload, and the rows added in the
 * range.
 */
const rowsOfItem = sql`
  (select i.kind, i.key, i.from_version, i.to_version, i.state, null as body, null as body_position,
    null as body_bytes, 0 as bytes
   from ${ownRows} and i.from_version <= w.after_version order by i.from_version desc limit 1)
  union all
  select i.kind, i.key, i.from_version, i.to_version, i.state, i.body, i.body_position, i.body_bytes,
    coalesce(${bodyBytesOf}, 0)
  from ${ownRows} and i.from_version > w.after_version and i.from_version <= w.last_version`;

/** Returns the rows of an item together, oldest first. */
async function findRows(
  trx: Transaction<Database>,
  ranges: readonly ContextRange[],
  maxBytes: number,
): Promise<readonly unknown[]> {
  const { rows } = await sql`
    select r.nth, r.kind, r.key, r.from_version, r.to_version, r.state, null as sources,
      r.is_beyond as "isBeyond", l.body
    from (
      select w.nth, i.*, coalesce(sum(i.bytes) over (
        order by w.nth, i.kind, i.key, i.from_version rows between unbounded preceding and 1 preceding), 0) >= ${maxBytes} as is_beyond
      from ${itemsIn(ranges)} cross join lateral (${rowsOfItem}) i) r
    left join lateral (
      select ${bodyOf} as body
      from (select r.body, r.body_position, r.body_bytes, r.from_version offset 0) i where not r.is_beyond) l on true
    order by r.nth, r.kind, r.key, r.from_version`.execute(trx);
  return rows;
}

function itemsIn(ranges: readonly ContextRange[]): RawBuilder<unknown> {
  const requested = ranges.flatMap(({ keys, ...range }, nth) =>
    keys.map((key) => ({ ...range, ...key, nth })),
  );
  return sql`
    unnest(
      ${integerArray(requested.map(({ nth }) => nth))}::int[],
      ${textArray(requested.map(({ workspace }) => workspace))}::text[],
      ${textArray(requested.map(({ contextId }) => contextId))}::text[],
      ${textArray(requested.map(({ kind }) => kind))}::text[],
      ${textArray(requested.map(({ key }) => encodeKey(key)))}::text[],
      ${integerArray(requested.map(({ after }) => after))}::int[],
      ${integerArray(requested.map(({ to }) => to))}::int[]
    ) as w(nth, workspace, context_id, kind, key, after_version, last_version)`;
}

/** The versions in the range at which a value ends, and the end of the value from before the range. */
function stopsOf(rows: readonly ChangedRow[], { after, to }: VersionRange) {
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

/**
 * Each value lasts until the next of the stops, which are sorted like the rows; undefined for a row that marks its item
 * as removed.
 */
function* indexedItems(
  rows: readonly ChangedRow[],
  stops: readonly number[],
): Generator<IndexedItem | undefined> {
  let next = 0;
  for (const row of rows) {
    while ((stops[next] ?? Infinity) <= row.from_version) next++;
    const toVersion = stops[next] ?? null;
    const isRemoved = row.state === removedState;
    yield isRemoved ? undefined : { item: toItem(row), fromVersion: row.from_version, toVersion };
  }
}
