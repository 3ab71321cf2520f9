import { sql } from 'kysely';

import { textArray } from '#database';
import {
  type ItemKey,
  type ItemKind,
  activityKinds,
  copiedKeys,
  itemKinds,
  itemNeedsBody,
} from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { encodeKey } from './item-rows.js';
import { bodyOrSize } from './large-bodies.js';
import { bodyOf } from './referenced-body.js';

/**
 * The payloads to load. `true`: all; `false`: only payloads that rules read; `none`: no payload; a list: only payloads of
 * these kinds. `packed`: all, but large ones are compressed until they are read.
 */
type Bodies = boolean | 'none' | 'packed' | readonly ItemKind[];

/** The items to load, by key or by kind, and which payloads to load with them. */
export type Selection =
  | Readonly<{ keys: readonly ItemKey[]; bodies: Bodies }>
  | Readonly<{ kinds: readonly ItemKind[]; bodies?: Bodies }>;

const undocumented: ReadonlySet<ItemKind> = new Set([
  'output-value',
  'provided',
  'idempotency',
  'counter',
  'checkpoint',
  'completion',
  'summarized',
  'source',
  'run-input',
  'run-frozen',
]);

/** Every item that a document contains. */
export const wholeDocument: Selection = {
  kinds: itemKinds.filter((kind) => !undocumented.has(kind)),
};

/** Kinds whose payload no rule reads. */
const slimKinds = itemKinds.filter((kind) => !itemNeedsBody(kind));

/** Adds the items that a fork copies from its source. */
export function withCopied(selection: Selection): Selection {
  return 'kinds' in selection
    ? {
        kinds: [...selection.kinds, ...copiedKeys.map(({ kind }) => kind)],
        bodies: selection.bodies === 'packed' ? 'packed' : true,
      }
    : { keys: [...selection.keys, ...copiedKeys], bodies: true };
}

/** Whether a selection includes every kind from which the activity of a context is computed. */
export function holdsActivity(selection: Selection): boolean {
  return 'kinds' in selection && activityKinds.every((kind) => selection.kinds.includes(kind));
}

/**
 * A subquery next to the row `c` of a context: the selected items that are current at version `at`; at the version that
 * the rows have reached if `at` is null or greater.
 */
export function selectedItems({ items }: ReadModelTables, selection: Selection, at: number | null) {
  return 'kinds' in selection
    ? itemsOfKinds(items, selection, at)
    : namedItems(items, selection, at);
}

function itemsOfKinds(
  items: Table,
  { kinds, bodies = true }: Extract<Selection, { kinds: unknown }>,
  at: number | null,
) {
  return sql`
    select i.kind, i.key, i.from_version, i.state, ${bodyUnlessSlim(bodies)}, i.sources from ${items} i
    where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = any(${kinds}) and ${currentAt(at)}`;
}

type Table = ReadModelTables['items'];

/**
 * One index lookup per key: with a join, PostgreSQL would scan a new table without statistics. The limit removes no
 * row; it is for the planner, which estimates an unknown limit as a tenth of the rows. The generic plan then costs no
 * more than a plan for these keys. Otherwise PostgreSQL would plan the statement on every execution, which takes longer
 * than executing it.
 */
function namedItems(
  items: Table,
  { keys, bodies }: Extract<Selection, { keys: unknown }>,
  at: number | null,
) {
  return sql`
    select found.* from (
      select * from unnest(
        ${textArray(keys.map(({ kind }) => kind))}::text[],
        ${textArray(keys.map(({ key }) => encodeKey(key)))}::text[]) as named(kind, key)
      limit ${keys.length}) as w
    cross join lateral (
      select i.kind, i.key, i.from_version, i.state, ${bodyUnlessSlim(bodies)}, i.sources
      from ${items} i
      where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = w.kind and i.key = w.key
        and ${currentAt(at)}
      limit 1) found`;
}

/** The payload column of the row `i`. */
export function bodyUnlessSlim(bodies: Bodies) {
  if (bodies === 'none') return sql`null::text as body`;
  if (bodies === 'packed') return bodyOrSize;
  if (typeof bodies === 'object')
    return sql`case when i.kind = any(${bodies}) then ${bodyOf} end as body`;
  return bodies
    ? sql`${bodyOf} as body`
    : sql`case when i.kind = any(${slimKinds}) then null else ${bodyOf} end as body`;
}

function currentAt(at: number | null) {
  if (at === null) return sql`i.to_version is null`;
  return sql`i.from_version <= least(${at}::int, c.version)
    and (i.to_version is null or i.to_version > least(${at}::int, c.version))`;
}
