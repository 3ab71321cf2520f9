import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import { bodyOf } from '../contexts/referenced-body.js';
import { type ReadModelTables, liveTables } from '../tables.js';

/** The number of compared contexts, and the contexts whose rows differ. */
type ComparisonResult = Readonly<{ compared: number; different: readonly ContextId[] }>;

const sampleSize = 200;
/** There are as many rows as events: the sample is smaller if histories are long. */
const sampleEvents = 20_000;
const page = 200;

const contextRow = z
  .object({ workspace: z.string(), context_id: z.string() })
  .transform((row): ContextId => ({ workspace: row.workspace, contextId: row.context_id }));

/** Compares a random sample of contexts. */
export async function compareSample(
  db: Kysely<Database>,
  tables: ReadModelTables,
): Promise<ComparisonResult> {
  const { rows } = await sql`
    select workspace, context_id from (
      select *, sum(version) over (order by nth) - version as before from (
        select workspace, context_id, version, row_number() over () as nth
        from (select * from ${tables.contexts} order by random() limit ${sampleSize}) chosen
      ) numbered
    ) counted where before < ${sampleEvents}`.execute(db);
  const ids = rows.map((row) => contextRow.parse(row));
  return { compared: ids.length, different: await findDifferent(db, tables, ids) };
}

/** Compares every context, page by page. */
export async function* compareAll(
  db: Kysely<Database>,
  tables: ReadModelTables,
): AsyncGenerator<ComparisonResult> {
  let last: ContextId = { workspace: '', contextId: '' };
  for (;;) {
    const { rows } = await sql`
      select workspace, context_id from ${tables.contexts}
      where (workspace, context_id) > (${last.workspace}, ${last.contextId})
      order by workspace, context_id limit ${page}`.execute(db);
    const ids = rows.map((row) => contextRow.parse(row));
    const end = ids.at(-1);
    if (!end) return;
    yield { compared: ids.length, different: await findDifferent(db, tables, ids) };
    last = end;
  }
}

/** Compares at the lower of both versions, since the live rows advance in the meantime. */
async function findDifferent(
  db: Kysely<Database>,
  tables: ReadModelTables,
  ids: readonly ContextId[],
): Promise<ContextId[]> {
  const { rows } = await sql`
    select w.workspace, w.context_id
    from unnest(
      ${ids.map(({ workspace }) => workspace)}::text[], ${ids.map(({ contextId }) => contextId)}::text[]
    ) as w(workspace, context_id)
    left join ${liveTables.contexts} l on l.workspace = w.workspace and l.context_id = w.context_id
    join ${tables.contexts} b on b.workspace = w.workspace and b.context_id = w.context_id
    cross join lateral (select least(l.version, b.version) as version) at
    where l.version is null
      or (l.version = b.version and l::text <> b::text)
      or (l.version = b.version and (${openWork(liveTables)}) is distinct from (${openWork(tables)}))
      or (${items(liveTables)}) is distinct from (${items(tables)})
      or (${versions(liveTables)}) is distinct from (${versions(tables)})
      or (${lineages(liveTables)}) is distinct from (${lineages(tables)})`.execute(db);
  return rows.map((row) => contextRow.parse(row));
}

/** A digest of the item rows as of version `at`. */
function items(tables: ReadModelTables) {
  return sql`
    select md5(string_agg(
      md5(row(i.kind, i.key, i.from_version, case when i.to_version <= at.version then i.to_version end, i.state, ${bodyOf}, i.sources)::text),
      '' order by i.kind, i.key, i.from_version))
    from ${tables.items} i
    where i.workspace = w.workspace and i.context_id = w.context_id and i.from_version <= at.version`;
}

function versions(tables: ReadModelTables) {
  return sql`
    select md5(string_agg(md5(v::text), '' order by v.version)) from ${tables.versions} v
    where v.workspace = w.workspace and v.context_id = w.context_id and v.version <= at.version`;
}

/** Past states are not stored, so that this is compared only if both versions are equal. */
function openWork(tables: ReadModelTables) {
  return sql`
    select md5(string_agg(md5(o::text), '' order by o.kind, o.key)) from ${tables.openWork} o
    where o.workspace = w.workspace and o.context_id = w.context_id`;
}

function lineages(tables: ReadModelTables) {
  return sql`
    select string_agg(l::text, '' order by l.from_version) from ${tables.lineages} l
    where l.workspace = w.workspace and l.context_id = w.context_id and l.from_version <= at.version`;
}
