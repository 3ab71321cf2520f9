import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database, integerArray, textArray } from '#database';
import { type ContextId, type Item } from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { encodeKey } from '../contexts/item-rows.js';
import { harmlessJson } from './harmless-json.js';
import { searchFragment } from './search-fragment.js';
import { searchTexts } from './search-texts.js';
import { wordVectors } from './word-vectors.js';

/** An item as a context contained it from one version up to another; `toVersion` is null while it is current. */
export type IndexedItem = Readonly<{ item: Item; fromVersion: number; toVersion: number | null }>;

/** The version at which a current item ends. The key is encoded as in its column. */
export type EndedItem = Readonly<{ kind: string; key: string; toVersion: number }>;

type ContextItem = ContextId & IndexedItem;
type Row = Readonly<{ entry: ContextItem; part: number; words: string; value: string | null }>;

/** Maximum bytes of rows in one statement, and an estimate of the bytes that a row has besides its texts. */
const maxBytes = 1_048_576;
const plainBytes = 100;

/** Ends the newest rows of these items. The cost does not depend on the number of past rows. */
export async function endVisibleItem(
  trx: Transaction<Database>,
  ended: readonly (ContextId & EndedItem)[],
): Promise<void> {
  if (ended.length === 0) return;
  await sql`
    update throughline.search_items i set to_version = e.to_version
    from (
      select w.*, newest.from_version from unnest(
        ${textArray(ended.map(({ workspace }) => workspace))}::text[],
        ${textArray(ended.map(({ contextId }) => contextId))}::text[],
        ${textArray(ended.map(({ kind }) => kind))}::text[],
        ${textArray(ended.map(({ key }) => key))}::text[],
        ${integerArray(ended.map(({ toVersion }) => toVersion))}::int[]
      ) as w(workspace, context_id, kind, key, to_version)
      cross join lateral (
        select n.from_version from throughline.search_items n
        where n.workspace = w.workspace and n.context_id = w.context_id and n.kind = w.kind and n.key = w.key
        order by n.from_version desc limit 1) newest) e
    where (i.workspace, i.context_id, i.kind, i.key, i.from_version)
        = (e.workspace, e.context_id, e.kind, e.key, e.from_version)
      and i.to_version is null`.execute(trx);
}

/** Adds the search rows of these items, in batches. */
export async function addVisibleItem(
  trx: Transaction<Database>,
  items: Iterable<ContextItem>,
): Promise<void> {
  let rows: Row[] = [];
  let bytes = 0;
  for (const entry of items)
    for (const row of await runInSlices(rowsOf(entry))) {
      rows.push(row);
      bytes += plainBytes + row.words.length + (row.value?.length ?? 0);
      if (bytes < maxBytes) continue;
      await insert(trx, rows);
      [rows, bytes] = [[], 0];
    }
  await insert(trx, rows);
}

function* rowsOf(entry: ContextItem): Steps<Row[]> {
  const fragment = searchFragment(entry.item);
  if (!fragment) return [];
  const [first = '', ...others] = yield* wordVectors(searchTexts(fragment));
  return [
    { entry, part: 0, words: first, value: harmlessJson(fragment) },
    ...others.map((words, at) => ({ entry, part: at + 1, words, value: null })),
  ];
}

async function insert(trx: Transaction<Database>, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into throughline.search_items
      (workspace, context_id, kind, key, from_version, to_version, item_version, part, words, value)
    select workspace, context_id, kind, key, from_version, to_version, item_version, part, words::tsvector, value::jsonb
    from unnest(
      ${textArray(rows.map(({ entry }) => entry.workspace))}::text[],
      ${textArray(rows.map(({ entry }) => entry.contextId))}::text[],
      ${textArray(rows.map(({ entry }) => entry.item.kind))}::text[],
      ${textArray(rows.map(({ entry }) => encodeKey(entry.item.key)))}::text[],
      ${integerArray(rows.map(({ entry }) => entry.fromVersion))}::int[],
      ${integerArray(rows.map(({ entry }) => entry.toVersion))}::int[],
      ${integerArray(rows.map(({ entry }) => entry.item.fromVersion))}::int[],
      ${integerArray(rows.map(({ part }) => part))}::int[],
      ${textArray(rows.map(({ words }) => words))}::text[],
      ${textArray(rows.map(({ value }) => value))}::text[]
    ) as r(workspace, context_id, kind, key, from_version, to_version, item_version, part, words, value)`.execute(
    trx,
  );
}

/** Merges the pending lists of the indexes, which every search has to scan. */
export async function mergeIndexes(db: Kysely<Database>): Promise<void> {
  await sql`
    select gin_clean_pending_list('throughline.search_items_words'),
      gin_clean_pending_list('throughline.search_items_value')`.execute(db);
}

const currentRow = z.object({ kind: z.string(), key: z.string(), item_version: z.number() });

/** The current items of a context and the versions that set them; keys are encoded as in their column. */
export async function findVisibleItems(
  trx: Transaction<Database>,
  { workspace, contextId }: ContextId,
): Promise<readonly z.output<typeof currentRow>[]> {
  const { rows } = await sql`
    select kind, key, item_version from throughline.search_items
    where workspace = ${workspace} and context_id = ${contextId} and part = 0 and to_version is null`.execute(
    trx,
  );
  return rows.map((row) => currentRow.parse(row));
}

export async function removeVisibleItems(
  trx: Transaction<Database>,
  { workspace, contextId }: ContextId,
): Promise<void> {
  await sql`
    delete from throughline.search_items
    where workspace = ${workspace} and context_id = ${contextId}`.execute(trx);
}
