import { type Kysely, type RawBuilder, sql } from 'kysely';

import { type Database } from '#database';
import { parseJsonObject } from '#event-sourcing';
import { type ContextHead, type ContextId, type Item, contentKinds } from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { headRow, toHead } from './head-rows.js';
import { readRows, toItem } from './item-rows.js';
import { type Selection, selectedItems } from './item-selection.js';
import { withLargeBodies } from './large-bodies.js';

/** As of which version the rows are asked, and for what beside them: a scalar that does not depend on the context. */
export type RowOptions = Readonly<{ at?: number; beside?: RawBuilder<unknown> | undefined }>;

/** `own`: items but for those that rows in layers hold. `head` is undefined if the rows hold no context. */
type ProjectedRows = Readonly<{
  head: ContextHead | undefined;
  own: readonly Item[];
  beside: unknown;
}>;

type Row = Readonly<{
  version?: number | null;
  head?: string | null;
  kind: string | null;
  beside?: unknown;
}>;

/** One statement, so that head and items are of one moment. */
export async function findProjectedRows(
  { db, tables }: Readonly<{ db: Kysely<Database>; tables: ReadModelTables }>,
  id: ContextId,
  selection: Selection,
  asked: RowOptions,
): Promise<ProjectedRows> {
  const { at, beside } = asked;
  const isWhole = 'kinds' in selection;
  const items = selectedItems(tables, selection, at ?? null);
  const { rows } = await sql<Row>`
    select ${isWhole ? headOnce : sql`c.*`},
      i.kind, i.key, i.from_version, i.state, i.body, i.sources ${beside ? sql`, ${beside} as beside` : sql``}
    from (select 1) as always
    left join ${tables.contexts} c on c.workspace = ${id.workspace} and c.context_id = ${id.contextId}
    left join lateral (${isWhole ? sql`${noItem} union all ${items}` : items}) i
      on c.version > 0 and (i.kind is null or c.lineage is null or i.kind <> all(${contentKinds}))`.execute(
    db,
  );
  const head = headIn(rows, isWhole);
  const found = head ? rows.filter(({ kind }) => kind !== null) : [];
  const whole = await withLargeBodies({ db, tables }, id, found);
  if (!whole) return findProjectedRows({ db, tables }, id, selection, asked);
  return { head, own: await readRows(whole, toItem), beside: rows[0]?.beside };
}

/** A head beside each of thousands of items would take longer than they do: it stands in a row of its own. */
const headOnce = sql`case when i.kind is null then row_to_json(c)::text end as head`;
const noItem = sql`
  select null::text as kind, null::text as key, null::int as from_version, null::text as state, null::text as body,
    null::text as sources`;

/** Without a projected context the joins leave one row of nulls, without an item one row of the head. */
function headIn(rows: readonly Row[], isWhole: boolean): ContextHead | undefined {
  const row = isWhole ? parseJsonObject(rows.find(({ head }) => head)?.head ?? '{}') : rows.at(0);
  return row?.version ? toHead(headRow.parse(row)) : undefined;
}
