import { type Kysely, type RawBuilder, sql } from 'kysely';

import { type Database } from '#database';
import { parseJsonObject } from '#event-sourcing';
import { type ContextHead, type ContextId, type Item, contentKinds } from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { headRow, toHead } from './head-rows.js';
import { readRows, toItem } from './item-rows.js';
import { type Selection, selectedItems } from './item-selection.js';
import { withLargeBodies } from './large-bodies.js';

/** The version to read the rows at, and a scalar to select next to them, which must not depend on the context. */
export type RowOptions = Readonly<{ at?: number; scalar?: RawBuilder<unknown> | undefined }>;

/** `own`: the items except those in layers. `head` is undefined if the rows do not hold the context. */
type ProjectedRows = Readonly<{
  head: ContextHead | undefined;
  own: readonly Item[];
  scalar: unknown;
}>;

type Row = Readonly<{
  version?: number | null;
  head?: string | null;
  kind: string | null;
  scalar?: unknown;
}>;

/** One statement, so that head and items belong to the same version. */
export async function findProjectedRows(
  { db, tables }: Readonly<{ db: Kysely<Database>; tables: ReadModelTables }>,
  id: ContextId,
  selection: Selection,
  options: RowOptions,
): Promise<ProjectedRows> {
  const { at, scalar } = options;
  const isByKind = 'kinds' in selection;
  const items = selectedItems(tables, selection, at ?? null);
  const { rows } = await sql<Row>`
    select ${isByKind ? headOnce : sql`c.*`},
      i.kind, i.key, i.from_version, i.state, i.body, i.sources ${scalar ? sql`, ${scalar} as scalar` : sql``}
    from (select 1) as always
    left join ${tables.contexts} c on c.workspace = ${id.workspace} and c.context_id = ${id.contextId}
    left join lateral (${isByKind ? sql`${noItem} union all ${items}` : items}) i
      on c.version > 0 and (i.kind is null or c.lineage is null or i.kind <> all(${contentKinds}))`.execute(
    db,
  );
  const head = headIn(rows, isByKind);
  const found = head ? rows.filter(({ kind }) => kind !== null) : [];
  const complete = await withLargeBodies({ db, tables }, id, found);
  if (!complete) return findProjectedRows({ db, tables }, id, selection, options);
  return { head, own: await readRows(complete, toItem), scalar: rows[0]?.scalar };
}

/** The head is in a separate row: repeating it for each of thousands of items would take longer than reading the items. */
const headOnce = sql`case when i.kind is null then row_to_json(c)::text end as head`;
const noItem = sql`
  select null::text as kind, null::text as key, null::int as from_version, null::text as state, null::text as body,
    null::text as sources`;

/**
 * The joins return one row of nulls if the context is not projected, and one row with only the head if it has no item.
 */
function headIn(rows: readonly Row[], isByKind: boolean): ContextHead | undefined {
  const row = isByKind ? parseJsonObject(rows.find(({ head }) => head)?.head ?? '{}') : rows.at(0);
  return row?.version ? toHead(headRow.parse(row)) : undefined;
}
