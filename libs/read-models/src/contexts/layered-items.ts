import { type Kysely, sql } from 'kysely';
import { type z } from 'zod';

import { type Database } from '#database';
import { type Item, type ItemKey, isContent, shifted } from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { encodeKey, itemRow, removedState, toItem } from './item-rows.js';
import { type Selection, slimKinds } from './item-selection.js';
import { type Layers } from './layers.js';

type Source = Readonly<{ db: Kysely<Database>; tables: ReadModelTables; workspace: string }>;

/** Items of content as found layer by layer; `missing` is what an older layer may still hold. */
export class LayeredItems {
  readonly #found = new Map<string, Item | undefined>();

  /** `selection` names nothing but content. */
  constructor(readonly selection: Selection) {}

  get missing(): Selection | undefined {
    if ('kinds' in this.selection)
      return this.selection.kinds.length > 0 ? this.selection : undefined;
    const keys = this.selection.keys.filter((key) => !this.#found.has(textOf(key)));
    return keys.length > 0 ? { ...this.selection, keys } : undefined;
  }

  /** What a newer layer holds, or says is gone, stays. */
  add(items: Iterable<ItemKey & { item: Item | undefined }>): void {
    for (const { item, ...key } of items)
      if (!this.#found.has(textOf(key))) this.#found.set(textOf(key), item);
  }

  values(): Item[] {
    return [...this.#found.values()].filter((item) => item !== undefined);
  }
}

/** The part of a selection that a base may supply. */
export function contentOf(selection: Selection): Selection {
  return 'kinds' in selection
    ? { kinds: selection.kinds.filter((kind) => isContent({ kind })) }
    : { ...selection, keys: selection.keys.filter(isContent) };
}

/** The newest rows in these layers that are current at the end of theirs. */
export async function findInLayers(
  { db, tables, workspace }: Source,
  layers: Layers,
  selection: Selection,
): Promise<(ItemKey & { item: Item | undefined })[]> {
  const rows = sql`
    ${tables.items} i, lateral (select width_bucket(i.from_version, ${layers.starts}::int[]) as nth) at
    where i.workspace = ${workspace} and i.context_id = ${layers.contextId} and at.nth > 0
      and i.from_version <= (${layers.ends}::int[])[at.nth]
      and (i.to_version is null or i.to_version > (${layers.ends}::int[])[at.nth])`;
  const found = await (
    'kinds' in selection
      ? sql`
        select distinct on (i.kind, i.key) i.kind, i.key, i.from_version, i.state, i.body
        from ${rows} and i.kind = any(${selection.kinds})
        order by i.kind, i.key, i.from_version desc`
      : sql`
        select newest.* from unnest(
          ${selection.keys.map(({ kind }) => kind)}::text[],
          ${selection.keys.map(({ key }) => encodeKey(key))}::text[]) as w(kind, key)
        cross join lateral (
          select i.kind, i.key, i.from_version, i.state,
            case when i.kind = any(${selection.bodies ? [] : slimKinds}) then null else i.body end as body
          from ${rows} and i.kind = w.kind and i.key = w.key
          order by i.from_version desc limit 1) newest`
  ).execute(db);
  return found.rows.map((row) => foundItem(itemRow.parse(row), layers.shift));
}

/** Every value of an item in these layers, oldest first. */
export async function listInLayers(
  { db, tables, workspace }: Source,
  layers: Layers,
  { kind, key }: ItemKey,
): Promise<Item[]> {
  const { rows } = await sql`
    select i.kind, i.key, i.from_version, i.state, i.body
    from ${tables.items} i, lateral (select width_bucket(i.from_version, ${layers.starts}::int[]) as nth) at
    where i.workspace = ${workspace} and i.context_id = ${layers.contextId} and at.nth > 0
      and i.kind = ${kind} and i.key = ${encodeKey(key)} and i.from_version <= (${layers.ends}::int[])[at.nth]
    order by i.from_version`.execute(db);
  return rows.flatMap((row) => foundItem(itemRow.parse(row), layers.shift).item ?? []);
}

function foundItem(row: z.output<typeof itemRow>, shift: number) {
  const item = toItem(row);
  const { kind, key } = item;
  return { kind, key, item: row.state === removedState ? undefined : shifted(item, shift) };
}

function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
