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
 * `false` leaves out the payloads that rules do not look at, `none` all of them, a list all but those of these kinds.
 * `packed`: large ones are in memory only while somebody reads them.
 */
type Bodies = boolean | 'none' | 'packed' | readonly ItemKind[];

/** Which items to load, those named or all of some kinds, and with which payloads. */
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

/** Everything a document shows. */
export const wholeDocument: Selection = {
  kinds: itemKinds.filter((kind) => !undocumented.has(kind)),
};

/** Kinds whose payload rules do not look at. */
const slimKinds = itemKinds.filter((kind) => !itemNeedsBody(kind));

/** With what a fork copies of its source. */
export function withCopied(selection: Selection): Selection {
  return 'kinds' in selection
    ? {
        kinds: [...selection.kinds, ...copiedKeys.map(({ kind }) => kind)],
        bodies: selection.bodies === 'packed' ? 'packed' : true,
      }
    : { keys: [...selection.keys, ...copiedKeys], bodies: true };
}

/** Whether a selection includes everything from which the activity of a context is computed. */
export function holdsActivity(selection: Selection): boolean {
  return 'kinds' in selection && activityKinds.every((kind) => selection.kinds.includes(kind));
}

/**
 * A subquery beside the row `c` of a context: the selected items current at version `at`, or at the version the rows
 * have reached where that is earlier or `at` is null.
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
 * One index lookup a key: a join would let a fresh table without statistics be read whole. The limit, which leaves nothing
 * out, is for the planner: it takes a limit it does not know for a tenth of the rows, so that its generic plan costs no more
 * than one made for these keys. PostgreSQL would plan the statement anew each time otherwise, for longer than it runs.
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
