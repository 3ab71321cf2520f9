import { type Transaction, sql } from 'kysely';

import { type Database, integerArray, textArray } from '#database';
import { type ContextId, type Item, type ItemKey } from '#shared-context';

import { encodeKey } from '../contexts/item-rows.js';
import { type RowChanges } from '../contexts/project-events.js';
import { encodeSources } from '../contexts/source-column.js';
import { type ReadModelTables } from '../tables.js';
import { isWorkKind, workOf } from './open-work.js';

/** The columns of an item that is work, besides the columns that identify its context. */
export type WorkColumns = Readonly<{
  kind: string;
  key: string;
  assignee: string | null;
  due: boolean;
  priority: number;
  opened_at: string;
  from_version: number;
  state: string;
  body: string | null;
  sources: string | null;
}>;

/** Undefined for items that are not work. */
export function workColumns(item: Item): WorkColumns | undefined {
  const work = workOf(item);
  if (!work) return undefined;
  return {
    kind: item.kind,
    key: encodeKey(item.key),
    assignee: work.assignee,
    due: work.due,
    priority: work.priority,
    opened_at: encodeKey(work.openedAt),
    from_version: item.fromVersion,
    state: JSON.stringify(item.state),
    body: item.body === undefined ? null : JSON.stringify(item.body),
    sources: encodeSources(item.sources),
  };
}

/** Updates the rows of open work for the changed items. For a context with a new base, all its rows are replaced. */
export async function writeOpenWork(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  changes: readonly RowChanges[],
): Promise<void> {
  await removeAll(
    trx,
    tables,
    changes.flatMap(({ lineage }) => lineage ?? []),
  );
  const touched = changes.flatMap(touchedWork);
  await remove(trx, tables, touched);
  await add(trx, tables, changes.flatMap(currentWork));
}

function touchedWork({ ended, added }: RowChanges): readonly (ContextId & ItemKey)[] {
  const keys = new Map<string, ContextId & ItemKey>();
  for (const key of [...ended, ...added]) if (isWorkKind(key.kind)) keys.set(textOf(key), key);
  return [...keys.values()];
}

type Row = ContextId & Readonly<{ columns: WorkColumns }>;

/** The open work after the changes, among the items that they touch and those of the new base. */
function currentWork(changes: RowChanges): readonly Row[] {
  const { head, added, openWork } = changes;
  const items = new Map(openWork.map((item) => [textOf(item), item]));
  for (const key of touchedWork(changes)) items.delete(textOf(key));
  for (const { state, toVersion, ...item } of added)
    if (state !== null && toVersion === null) items.set(textOf(item), { ...item, state });
  const { workspace, contextId } = head;
  return [...items.values()].flatMap((item) => {
    const columns = workColumns(item);
    return columns ? [{ workspace, contextId, columns }] : [];
  });
}

async function removeAll(
  trx: Transaction<Database>,
  { openWork }: ReadModelTables,
  ids: readonly ContextId[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    delete from ${openWork} o using unnest(
      ${textArray(ids.map(({ workspace }) => workspace))}::text[],
      ${textArray(ids.map(({ contextId }) => contextId))}::text[]) as removed(workspace, context_id)
    where o.workspace = removed.workspace and o.context_id = removed.context_id`.execute(trx);
}

async function remove(
  trx: Transaction<Database>,
  { openWork }: ReadModelTables,
  keys: readonly (ContextId & ItemKey)[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from ${openWork} o using unnest(
      ${textArray(keys.map(({ workspace }) => workspace))}::text[],
      ${textArray(keys.map(({ contextId }) => contextId))}::text[],
      ${textArray(keys.map(({ kind }) => kind))}::text[],
      ${textArray(keys.map(({ key }) => encodeKey(key)))}::text[]) as removed(workspace, context_id, kind, key)
    where (o.workspace, o.context_id, o.kind, o.key)
        = (removed.workspace, removed.context_id, removed.kind, removed.key)`.execute(trx);
}

async function add(
  trx: Transaction<Database>,
  { openWork }: ReadModelTables,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const texts = (column: (columns: WorkColumns) => string | null) =>
    textArray(rows.map(({ columns }) => column(columns)));
  const integers = (column: (columns: WorkColumns) => number) =>
    integerArray(rows.map(({ columns }) => column(columns)));
  await sql`
    insert into ${openWork} (
      workspace, context_id, kind, key, assignee, due, priority, opened_at, from_version, state, body, sources)
    select workspace, context_id, kind, key, assignee, due::boolean, priority, opened_at, from_version, state, body, sources
    from unnest(
      ${textArray(rows.map(({ workspace }) => workspace))}::text[],
      ${textArray(rows.map(({ contextId }) => contextId))}::text[],
      ${texts(({ kind }) => kind)}::text[],
      ${texts(({ key }) => key)}::text[],
      ${texts(({ assignee }) => assignee)}::text[],
      ${texts(({ due }) => String(due))}::text[],
      ${integers(({ priority }) => priority)}::int[],
      ${texts(({ opened_at: openedAt }) => openedAt)}::text[],
      ${integers(({ from_version: fromVersion }) => fromVersion)}::int[],
      ${texts(({ state }) => state)}::text[],
      ${texts(({ body }) => body)}::text[],
      ${texts(({ sources }) => sources)}::text[])
    as w(workspace, context_id, kind, key, assignee, due, priority, opened_at, from_version, state, body, sources)`.execute(
    trx,
  );
}

function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
