import { type Kysely, sql } from 'kysely';
import { type z } from 'zod';

import { type Database } from '#database';
import { type ContextId, type Item, type ItemKey, isContent, shifted } from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { decodeKey, encodeKey, type itemRow, readRows, toItem } from './item-rows.js';
import { type Selection, bodyUnlessSlim } from './item-selection.js';
import { removedState } from './item-text.js';
import { withLargeBodies } from './large-bodies.js';
import { type Layers, type Lineage, findLineage } from './layers.js';
import { bodyOf } from './referenced-body.js';

type Source = Readonly<{ db: Kysely<Database>; tables: ReadModelTables; workspace: string }>;

/** Reads, by an ordinary read, the part of a context that the rows have not reached. */
type ReadRest = (rest: NonNullable<Lineage['rest']>, missing: Selection) => Promise<Iterable<Item>>;

/** The content of a context with layers, at a version that the rows have reached. */
export async function readLayered(
  rows: Pick<Source, 'db' | 'tables'>,
  id: ContextId,
  version: number,
  { selection, readRest }: Readonly<{ selection: Selection; readRest: ReadRest }>,
): Promise<Item[]> {
  const found = new Map<string, Item | undefined>();
  let missing = missingOf(contentOf(selection), found);
  if (!missing) return [];
  const { layers, rest } = await findLineage(rows.db, rows.tables, id, version);
  for (const layer of layers) {
    if (!missing) break;
    addNewest(found, await findInLayers({ ...rows, workspace: id.workspace }, layer, missing));
    missing = missingOf(missing, found);
  }
  if (rest && missing) {
    const older = Array.from(await readRest(rest, missing), (item) => shifted(item, rest.shift));
    addNewest(
      found,
      older.map((item) => ({ kind: item.kind, key: item.key, item })),
    );
  }
  return [...found.values()].filter((item) => item !== undefined);
}

type LayerItem = ItemKey & Readonly<{ item: Item | undefined }>;

/** A value or removal in a newer layer takes precedence. */
function addNewest(found: Map<string, Item | undefined>, items: readonly LayerItem[]): void {
  for (const { item, ...key } of items) if (!found.has(textOf(key))) found.set(textOf(key), item);
}

/** The items that an older layer may still hold; undefined if there are none. */
function missingOf(
  selection: Selection,
  found: ReadonlyMap<string, Item | undefined>,
): Selection | undefined {
  if ('kinds' in selection) return selection.kinds.length > 0 ? selection : undefined;
  const keys = selection.keys.filter((key) => !found.has(textOf(key)));
  return keys.length > 0 ? { ...selection, keys } : undefined;
}

/** The part of a selection that can come from a base. */
function contentOf(selection: Selection): Selection {
  return 'kinds' in selection
    ? { ...selection, kinds: selection.kinds.filter((kind) => isContent({ kind })) }
    : { ...selection, keys: selection.keys.filter(isContent) };
}

/** The newest rows of these layers that are current at the end of their range. */
async function findInLayers(
  { db, tables, workspace }: Source,
  layers: Layers,
  selection: Selection,
): Promise<LayerItem[]> {
  const rows = sql`
    ${tables.items} i, lateral (select width_bucket(i.from_version, ${layers.starts}::int[]) as nth) at
    where i.workspace = ${workspace} and i.context_id = ${layers.contextId} and at.nth > 0
      and i.from_version <= (${layers.ends}::int[])[at.nth]
      and (i.to_version is null or i.to_version > (${layers.ends}::int[])[at.nth])`;
  const found = await (
    'kinds' in selection
      ? sql`
        select distinct on (i.kind, i.key) i.kind, i.key, i.from_version, i.state,
          ${bodyUnlessSlim(selection.bodies ?? true)}, i.sources
        from ${rows} and i.kind = any(${selection.kinds})
        order by i.kind, i.key, i.from_version desc`
      : sql`
        select newest.* from unnest(
          ${selection.keys.map(({ kind }) => kind)}::text[],
          ${selection.keys.map(({ key }) => encodeKey(key))}::text[]) as w(kind, key)
        cross join lateral (
          select i.kind, i.key, i.from_version, i.state, ${bodyUnlessSlim(selection.bodies)}, i.sources
          from ${rows} and i.kind = w.kind and i.key = w.key
          order by i.from_version desc limit 1) newest`
  ).execute(db);
  const id = { workspace, contextId: layers.contextId };
  const complete = await withLargeBodies({ db, tables }, id, found.rows);
  if (!complete) return findInLayers({ db, tables, workspace }, layers, selection);
  return readRows(complete, (row) => foundItem(row, layers.shift));
}

/** At most `limit` values of an item after version `after`, counted in versions of the context that is read. */
type ValueRange = Readonly<{ key: ItemKey; after: number; limit: number }>;

/** Values of an item in these layers, oldest first. */
export async function listInLayers(
  { db, tables, workspace }: Source,
  layers: Layers,
  { key: { kind, key }, after, limit }: ValueRange,
): Promise<Item[]> {
  const { rows } = await sql`
    select i.kind, i.key, i.from_version, i.state, ${bodyOf} as body, i.sources
    from ${tables.items} i, lateral (select width_bucket(i.from_version, ${layers.starts}::int[]) as nth) at
    where i.workspace = ${workspace} and i.context_id = ${layers.contextId} and at.nth > 0
      and i.kind = ${kind} and i.key = ${encodeKey(key)} and i.from_version <= (${layers.ends}::int[])[at.nth]
      and i.from_version > ${after + layers.shift} and i.state <> ${removedState}
    order by i.from_version limit ${limit}`.execute(db);
  const found = await readRows(rows, (row) => foundItem(row, layers.shift));
  return found.flatMap(({ item }) => item ?? []);
}

function foundItem(row: z.output<typeof itemRow>, shift: number): LayerItem {
  if (row.state === removedState)
    return { kind: row.kind, key: decodeKey(row.key), item: undefined };
  const item = toItem(row);
  return { kind: item.kind, key: item.key, item: shifted(item, shift) };
}

function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
